//! What a search may leave out, and by which margins: the one table of the search's numbers, which `carom
//! spsa` tunes.

/// What a search may leave out, and by which margins, in centipawns of the game's own evaluation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Selectivity {
    /// Null move pruning, where [`super::Evaluation::null_move`] allows it.
    pub null_move: bool,
    /// Reverse futility pruning: margin for each ply of depth; 0 for never.
    pub reverse_futility: i32,
    /// Futility pruning of quiet decisions: margin for each ply of depth; 0 for never.
    pub futility: i32,
    /// Quiet decisions far back in the order are not looked at near the leaves.
    pub late_move_pruning: bool,
    /// Late quiet decisions are searched less deeply first.
    pub late_move_reductions: bool,
    /// Late quiet decisions are searched less deeply first at the root, too.
    pub root_reductions: bool,
    /// As programs do that look at millions of positions: late decisions are reduced more where a refutation
    /// is expected (a cut node), captures too; internal reduction takes two plies in the main line and deep
    /// above the leaves; margins follow what is left of the depth, a second search what the first has found,
    /// and check is searched deeper at the leaves only.
    pub cut_node_reductions: bool,
    /// From this depth on, the table's decision is searched deeper where all others are clearly worse; 0 for
    /// never.
    pub singular: i32,
    /// Positions the table knows no decision for are searched a ply less deeply.
    pub internal_reduction: bool,
    /// Quiet decisions are ordered also by what was decided one and two plies before.
    pub continuation: bool,
    /// The static evaluation is corrected by what searches found in positions with the same
    /// [`super::Evaluation::correction_keys`], and behind the same two decisions.
    pub correction_history: bool,
    /// Quiescence looks no further than this many decisions.
    pub quiescence_plies: usize,
    /// Quiescence uses the transposition table.
    pub quiescence_table: bool,
    /// Delta pruning in quiescence: the margin; 0 for never.
    pub delta: i32,
    /// What loses material by [`super::Evaluation::see_ge`] is not looked at in quiescence and near the
    /// leaves.
    pub see: bool,
    /// Half the width of the aspiration window; 0 for the full window.
    pub aspiration: i32,
    /// What that width grows to each time the value lies outside the window, in percent.
    pub aspiration_growth: i32,
    /// How much of a turn's share of the clock is planned for it, in percent: less where games last longer
    /// than most, or are decided late.
    pub time_share: u32,
    /// Whole turns are searched, which a beam search proposes; for games with turns of several steps
    /// ([`super::Evaluation::turn_key`]).
    pub whole_turns: bool,
    /// For whole turns: at the root, the beam is multiplied by this. One more depth takes many times as long, and
    /// a turn that no beam proposes is never played.
    pub root_breadth: usize,
    /// For whole turns: at the root, the number of turns followed is multiplied by this.
    pub root_turns: usize,
    /// For whole turns: behind the root, the beam is multiplied by this.
    pub reply_breadth: usize,
    /// By how many plies less deeply a null move is searched, before what depth and evaluation add.
    pub null_move_base: i32,
    /// For every so many plies of depth it is one ply more.
    pub null_move_depth: i32,
    /// For every so many centipawns that the evaluation lies above beta it is one ply more, two at most.
    pub null_move_margin: i32,
    /// Late move pruning begins after so many quiet decisions, and the square of the depth more.
    pub late_move_count: i32,
    /// Late move reductions: what every late decision is reduced by, in hundredths of a ply.
    pub reduction_base: i32,
    /// What ln depth times ln number is divided by to get the rest of the reduction, in hundredths.
    pub reduction_divisor: i32,
    /// So much history takes a ply from the reduction.
    pub history_divisor: i32,
    /// What a quiet decision that refutes a position is credited with in the history for each ply of depth;
    /// 0 for the square of the depth, which gives much to the few that were found deep.
    pub history_slope: i32,
    /// The most it is credited with.
    pub history_most: i32,
    /// A search begins with so many percent of the history that the last search of the game collected.
    pub history_kept: i32,
    /// What a quiet decision may lose by [`super::Evaluation::see_ge`] near the leaves, times the square of
    /// the depth.
    pub see_quiet: i32,
    /// What a capture may lose, times the depth.
    pub see_capture: i32,
    /// By how much all others must be worse for a singular decision, for each ply of depth.
    pub singular_margin: i32,
    /// A singular decision is searched two plies deeper where all others are worse by so much more; 0 for
    /// never.
    pub double_extension_margin: i32,
    /// A second search goes a ply deeper where the first found so much more than the best score.
    pub deeper_margin: i32,
    /// A second search goes a ply less deep where the first found no more than so much above the best score.
    pub shallower_margin: i32,
}

impl Selectivity {
    /// What most games want.
    pub const STANDARD: Self = Self {
        null_move: true,
        reverse_futility: 80,
        futility: 90,
        late_move_pruning: true,
        late_move_reductions: true,
        root_reductions: false,
        cut_node_reductions: false,
        singular: 0,
        internal_reduction: true,
        continuation: true,
        correction_history: false,
        quiescence_plies: 20,
        quiescence_table: true,
        delta: 200,
        see: true,
        aspiration: 30,
        aspiration_growth: 300,
        time_share: 100,
        whole_turns: false,
        root_breadth: 1,
        root_turns: 1,
        reply_breadth: 1,
        null_move_base: 3,
        null_move_depth: 4,
        null_move_margin: 200,
        late_move_count: 3,
        reduction_base: 50,
        reduction_divisor: 220,
        history_divisor: 8192,
        history_slope: 0,
        history_most: 400,
        history_kept: 50,
        see_quiet: 25,
        see_capture: 90,
        singular_margin: 2,
        double_extension_margin: 0,
        deeper_margin: 40,
        shallower_margin: 8,
    };

    /// What history is credited with for a decision that refuted a position at this depth.
    #[inline]
    pub fn history_bonus(&self, depth: i32) -> i32 {
        let slope = if self.history_slope > 0 { self.history_slope } else { depth };
        (slope * depth).min(self.history_most)
    }

    /// Everything is looked at.
    pub const NONE: Self = Self {
        null_move: false,
        reverse_futility: 0,
        futility: 0,
        late_move_pruning: false,
        late_move_reductions: false,
        root_reductions: false,
        cut_node_reductions: false,
        singular: 0,
        internal_reduction: false,
        continuation: false,
        correction_history: false,
        quiescence_plies: usize::MAX,
        quiescence_table: false,
        delta: 0,
        see: false,
        aspiration: 0,
        time_share: 100,
        whole_turns: false,
        history_kept: 0,
        ..Self::STANDARD
    };
}

/// A number of [`Selectivity`] that `carom spsa` can tune.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// The least and the greatest value that make sense.
    pub range: (i32, i32),
    /// How far it must be changed to make a difference in games.
    pub step: i32,
    /// Whether the search uses it with these settings; what is switched off is not tuned.
    pub is_used: fn(&Selectivity) -> bool,
    get: fn(&Selectivity) -> i32,
    set: fn(&mut Selectivity, i32),
}

/// The table of parameters: `name: least..=greatest, step, when it is used;`.
macro_rules! parameters {
    ($($name:ident: $least:literal..=$greatest:literal, $step:literal, $own:ident => $is_used:expr;)*) => {
        /// All numbers that can be tuned.
        pub const PARAMETERS: &[Parameter] = &[$(Parameter {
            name: stringify!($name),
            range: ($least, $greatest),
            step: $step,
            is_used: |$own| $is_used,
            get: |own| own.$name,
            set: |own, value| own.$name = value,
        }),*];
    };
}

parameters! {
    reverse_futility: 10..=400, 10, own => own.reverse_futility > 0;
    futility: 10..=400, 10, own => own.futility > 0;
    null_move_base: 1..=6, 1, own => own.null_move;
    null_move_depth: 2..=10, 1, own => own.null_move;
    null_move_margin: 40..=1000, 40, own => own.null_move;
    late_move_count: 1..=20, 1, own => own.late_move_pruning;
    reduction_base: 0..=200, 12, own => own.late_move_reductions;
    reduction_divisor: 100..=600, 20, own => own.late_move_reductions;
    history_divisor: 1024..=65536, 800, own => own.late_move_reductions;
    history_slope: 4..=60, 3, own => own.history_slope > 0;
    history_most: 20..=1000, 30, own => own.late_move_reductions;
    history_kept: 0..=100, 10, own => own.history_kept > 0;
    see_quiet: 5..=200, 5, own => own.see;
    see_capture: 10..=500, 15, own => own.see;
    delta: 20..=1000, 30, own => own.delta > 0;
    aspiration: 5..=200, 5, own => own.aspiration > 0;
    aspiration_growth: 120..=400, 20, own => own.aspiration > 0;
    singular: 4..=12, 1, own => own.singular > 0;
    singular_margin: 1..=10, 1, own => own.singular > 0;
    double_extension_margin: 5..=200, 8, own => own.double_extension_margin > 0;
    deeper_margin: 5..=200, 8, own => own.cut_node_reductions;
    shallower_margin: 0..=60, 4, own => own.cut_node_reductions;
}

impl Selectivity {
    /// The value of a parameter; `None` where none has this name.
    pub fn get(&self, name: &str) -> Option<i32> {
        PARAMETERS.iter().find(|own| own.name == name).map(|own| (own.get)(self))
    }

    /// Sets a parameter; false where none has this name.
    pub fn set(&mut self, name: &str, value: i32) -> bool {
        let found = PARAMETERS.iter().find(|own| own.name == name);
        found.is_some_and(|own| {
            (own.set)(self, value);
            true
        })
    }

    /// The parameters that the search uses with these settings, with their values.
    pub fn parameters(&self) -> impl Iterator<Item = (&'static Parameter, i32)> + '_ {
        PARAMETERS.iter().filter(|own| (own.is_used)(self)).map(|own| (own, (own.get)(self)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_is_set_by_its_name_alone_and_begins_inside_its_range() {
        for own in PARAMETERS {
            let mut changed = Selectivity::STANDARD;
            assert!(changed.set(own.name, own.range.1));
            assert_eq!(changed.get(own.name), Some(own.range.1));
            for other in PARAMETERS.iter().filter(|other| other.name != own.name) {
                assert_eq!(changed.get(other.name), Selectivity::STANDARD.get(other.name), "{}", own.name);
            }
        }
        for (own, value) in Selectivity::STANDARD.parameters() {
            assert!((own.range.0..=own.range.1).contains(&value), "{}", own.name);
        }
        assert!(Selectivity::NONE.parameters().next().is_none());
        let mut none = Selectivity::NONE;
        assert!(!none.set("depth", 1) && none.get("depth").is_none());
    }

    #[test]
    fn history_goes_by_the_depth_or_by_its_square_up_to_the_most() {
        let squares = Selectivity::STANDARD;
        assert_eq!([1, 5, 20, 21].map(|depth| squares.history_bonus(depth)), [1, 25, 400, 400]);
        let linear = Selectivity { history_slope: 12, history_most: 140, ..Selectivity::STANDARD };
        assert_eq!([1, 5, 11, 12].map(|depth| linear.history_bonus(depth)), [12, 60, 132, 140]);
    }
}
