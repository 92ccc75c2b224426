//! What a search wants to know of a game beyond its rules.

use super::network::Network;
use super::planes::{Planes, placed};
use super::selectivity::Selectivity;
use super::step_ranker::{PARTS_OF_A_CENTIPAWN, StepRanker};
use super::{Actor, Chance, Repetition, TableValue, Tables};
use crate::base::Color;

/// Values for the search, and what it may leave out.
pub trait Evaluation: Chance + Repetition {
    /// The number of entries of the history table.
    const HISTORY_SIZE: usize = 1 << 14;

    /// What the search may leave out or look at less. A technique is switched on in a game only where it has
    /// won its match there; nothing is by default.
    const SELECTIVITY: Selectivity = Selectivity::NONE;

    /// How many inputs the network has; 0 without one.
    const INPUTS: usize = 0;

    /// The number of inputs that [`Evaluation::placed_input`] names, from 0 on. Needed only with king buckets.
    const PLACED_INPUTS: usize = 0;

    /// The number of [king buckets](Evaluation::king_bucket); 0 where the weights of the placed inputs do not
    /// depend on the king.
    const KING_BUCKETS: usize = 0;

    /// The first of the [inputs by king bucket](Evaluation::placed_by_king), which come last; equal to
    /// [`Evaluation::INPUTS`] where there are none.
    const BY_KING: usize = Self::INPUTS;

    /// How many output layers the network has; see [`Evaluation::bucket`].
    const BUCKETS: usize = 1;

    /// How many bitboards [`Evaluation::planes`] fills, where a search keeps the network's sums of what stands
    /// on the board from ply to ply ([`Accumulators`](super::accumulator::Accumulators)); 0 where they are made
    /// anew for each position.
    const PLANES: usize = 0;

    /// What each term is worth, in centipawns, where the evaluation without the network is their sum, White's
    /// less Black's: what `carom tune` learns. Empty where there is more to it.
    const TERMS: &'static [i32] = &[];

    /// How good the position is for White, in centipawns, without the network, looking at nothing but the
    /// board.
    fn classical_eval(&self) -> i32 {
        let mut sum = 0;
        self.terms(|side, term| {
            sum += if side == Color::White { Self::TERMS[term] } else { -Self::TERMS[term] }
        });
        sum
    }

    /// How good an ending is for White where it is known what to aim for: in place of terms and network.
    fn endgame_eval(&self) -> Option<i32> {
        None
    }

    /// What the network adds to the terms set by hand.
    fn network() -> Option<&'static Network> {
        None
    }

    /// What tells which steps are worth following, where whole turns are searched.
    fn step_ranker() -> Option<&'static StepRanker> {
        None
    }

    /// How promising a board is to `player`, whose step led to it, in centipawns: the terms set by hand, and what
    /// the ranker adds.
    fn promise(&self, player: Color) -> i32 {
        let of_player = |terms: i32| if player == Color::White { terms } else { -terms };
        let Some(ranker) = Self::step_ranker() else { return of_player(self.classical_eval()) };
        let (weights, mut rank) = (ranker.weights(self.bucket()), 0);
        let terms = self.inputs_seen_by_and_classical_eval(player, |input| rank += i32::from(weights[input]));
        of_player(terms) + rank / PARTS_OF_A_CENTIPAWN
    }

    /// Names the inputs of the network that are on, each below [`Evaluation::INPUTS`]: for each colour those
    /// of the position as it is seen from that side of the board. To be overridden where sums are not kept.
    fn inputs(&self, mut input: impl FnMut(Color, usize)) {
        let planes = self.planes();
        let kings = Color::ALL.map(|side| Self::king_bucket(&planes, side));
        for (code, square) in placed(Self::PLANES, &planes, u64::MAX) {
            for side in Color::ALL {
                let placed = self.placed_input(code, square, side);
                input(side, placed);
                if const { Self::KING_BUCKETS > 0 } {
                    input(side, Self::placed_by_king(kings[side.index()], placed));
                }
            }
        }
        self.other_inputs(input);
    }

    /// Keys of three parts of the position, such as its pawns, by which a search keeps how wrong the
    /// evaluation was ([`Selectivity::correction_history`]), as [`mixed`](crate::base::mixed) makes them.
    fn correction_keys(&self) -> [u64; 3] {
        [0; 3]
    }

    /// What stands where: code 0 for what is no input.
    fn planes(&self) -> Planes {
        Planes::default()
    }

    /// The input, as `side` sees it, that is on because something with this code stands on the square.
    fn placed_input(&self, _code: usize, _square: u8, _side: Color) -> usize {
        0
    }

    /// The group of squares in which the king of `side` stands, as that side sees the board: below
    /// [`Evaluation::KING_BUCKETS`].
    fn king_bucket(_planes: &Planes, _side: Color) -> usize {
        0
    }

    /// The input that is on together with a [placed one](Evaluation::placed_input) while the player's own king
    /// is in this bucket. Its weights are added to those of the placed input (a factorized input of NNUE).
    fn placed_by_king(_bucket: usize, placed: usize) -> usize {
        placed
    }

    /// Names the inputs that do not follow from one square alone.
    fn other_inputs(&self, _input: impl FnMut(Color, usize)) {}

    /// Names the [`Evaluation::TERMS`] of each colour's own pieces, as often as they count.
    fn terms(&self, _term: impl FnMut(Color, usize)) {}

    /// Names the inputs and says what the terms set by hand are worth: to be overridden where both look at
    /// the same.
    fn inputs_and_classical_eval(&self, input: impl FnMut(Color, usize)) -> i32 {
        self.inputs(input);
        self.classical_eval()
    }

    /// The same with the inputs of one side: to be overridden where steps are [ranked](StepRanker).
    fn inputs_seen_by_and_classical_eval(&self, player: Color, mut input: impl FnMut(usize)) -> i32 {
        self.inputs_and_classical_eval(|side, number| {
            if side == player {
                input(number);
            }
        })
    }

    /// The same for the [`Evaluation::other_inputs`].
    fn other_inputs_and_classical_eval(&self, input: impl FnMut(Color, usize)) -> i32 {
        self.other_inputs(input);
        self.classical_eval()
    }

    /// Which output layer of the network judges this position (by the stage of the game or of the turn).
    fn bucket(&self) -> usize {
        0
    }

    /// From whose side the network looks: who decides, or whose turn it is where chance does.
    fn perspective(&self) -> Color {
        self.actor().player().unwrap_or(Color::White)
    }

    /// How good the position is for White, in centipawns, looking at nothing but the board; well inside
    /// `±score::SURE_WIN`.
    #[inline]
    fn static_eval(&self) -> i32 {
        self.static_eval_by(|network| network.evaluate(self))
    }

    /// The same by a way to [evaluate](Network::evaluate) the position.
    #[inline]
    fn static_eval_by(&self, evaluate: impl FnOnce(&'static Network) -> (i32, i32)) -> i32 {
        if let Some(known) = self.endgame_eval() {
            return known;
        }
        let Some(network) = Self::network() else { return self.classical_eval() };
        let (classical, learned) = evaluate(network);
        classical + if self.perspective() == Color::White { learned } else { -learned }
    }

    /// What the decision takes or wins, in centipawns, less a little for the worth of the taker (most
    /// valuable victim, least valuable attacker): 0 for quiet ones, more for better victims.
    fn mvv_lva(&self, _decision: Self::Decision) -> i32 {
        0
    }

    /// Static exchange evaluation: false when the captures that follow `decision` on its square are sure to
    /// leave less than `threshold` centipawns. True where nothing is known.
    fn see_ge(&self, _decision: Self::Decision, _threshold: i32) -> bool {
        true
    }

    /// True when doing nothing would lose at once (check; a runner that must be taken): no standing pat.
    fn in_check(&self) -> bool {
        false
    }

    /// Says of decisions whether [`Evaluation::in_check`] holds after them, where that is known without
    /// carrying them out. It is asked only where `in_check` does not hold before.
    fn gives_check(&self) -> impl Fn(Self::Decision) -> Option<bool> {
        |_| None
    }

    /// True when the player who decides can win before the other side decides again, so that nothing need be
    /// searched. False when that is not known.
    fn wins_now(&self) -> bool {
        false
    }

    /// What endgame tables say of the position; `None` where they say nothing.
    fn probe(&self, _tables: &Tables) -> Option<TableValue> {
        None
    }

    /// What stands on the board, the steps left aside: a turn that comes back to it has wasted steps. `None`
    /// in games whose turns are one decision.
    fn turn_key(&self) -> Option<u64> {
        None
    }

    /// Which entry of the history table a quiet decision belongs to: below [`Evaluation::HISTORY_SIZE`],
    /// colour included.
    fn history_index(&self, decision: Self::Decision) -> usize {
        let black = self.actor() == Actor::Player(Color::Black);
        (decision.into() as usize * 2 + usize::from(black)) % Self::HISTORY_SIZE
    }

    /// True where having to move may be what loses (zugzwang): neither a pass nor a static evaluation in its
    /// place bounds anything.
    fn zugzwang_prone(&self) -> bool {
        false
    }

    /// The position with the other side to move, where passing is worse than the best decision, so that what
    /// is good enough after it is good enough. `None` where it may not be (zugzwang, races, forced replies).
    fn null_move(&self) -> Option<Self> {
        None
    }
}
