//! Chess with Wickets once more, slowly, from the text of the rules: a plain grid of letters, every rule
//! spelled out, nothing shared with the library. A move is legal if trying everything that may follow finds a
//! way to end the turn.

/// A cell: file 0 to 7, rank 0 to 9; ranks 0 and 9 hold e0 and e9 only.
pub type At = (i32, i32);

/// How wickets are decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// So many pieces for a wicket that is seen.
    Pieces(usize),
    /// A die; true when a second roll can be bought.
    Dice(bool),
    /// Cards; true when a second contest is possible.
    Cards(bool),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ball {
    Carried(At),
    Loose(At),
    /// Taken from a captured carrier, not yet put down.
    InHand,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Stage {
    Move,
    Place(At),
    /// After a capture (the mover may still throw) or after a taken wicket (the turn is over).
    Call {
        taken: bool,
    },
    Throw,
    Sacrifice,
    Roll,
    Lead,
    LeadDraw,
    Follow,
    FollowDraw,
    Over(&'static str),
}

/// Cards as two letters; `?` for one that may not be seen.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Pack {
    hands: [Vec<String>; 2],
    /// Top first.
    stock: Vec<String>,
    discards: Vec<String>,
    table: Vec<String>,
    masked: [bool; 2],
}

/// A state of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    mode: Mode,
    no_seal: bool,
    grid: [[char; 10]; 8],
    ball: [Ball; 2],
    defender: [Option<At>; 2],
    mover: usize,
    rights: String,
    passed: Option<At>,
    half_moves: u32,
    number: u32,
    pack: Option<Pack>,
    stage: Stage,
    // Of the turn in progress:
    throwers: Vec<At>,
    stepped: Option<At>,
    resets: bool,
    spoken: bool,
    second: bool,
    equal: bool,
}

const STRAIGHT: [At; 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const SLANTED: [At; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const ALL_WAYS: [At; 8] = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)];
const JUMPS: [At; 8] = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

fn is_cell((file, rank): At) -> bool {
    (0..8).contains(&file) && (1..=8).contains(&rank) || file == 4 && (rank == 0 || rank == 9)
}

fn is_wicket((_, rank): At) -> bool {
    rank == 0 || rank == 9
}

/// wicket(White) = e0, wicket(Black) = e9.
fn wicket(side: usize) -> At {
    (4, [0, 9][side])
}

fn name((file, rank): At) -> String {
    format!("{}{rank}", char::from(b'a' + file as u8))
}

fn parse_at(text: &str) -> At {
    let bytes = text.as_bytes();
    (i32::from(bytes[0] - b'a'), i32::from(bytes[1] - b'0'))
}

fn side_of(letter: char) -> usize {
    usize::from(letter.is_ascii_lowercase())
}

fn cells() -> impl Iterator<Item = At> {
    (0..8).flat_map(|file| (0..10).map(move |rank| (file, rank))).filter(|&at| is_cell(at))
}

fn all_cards() -> Vec<String> {
    let suits = ['c', 'd', 'h', 's'];
    suits.iter().flat_map(|suit| "A23456789T".chars().map(move |value| format!("{value}{suit}"))).collect()
}

fn value(card: &str) -> f64 {
    "A23456789T".find(&card[..1]).map_or(0.0, |place| place as f64 + 1.0)
}

fn parse_heap(text: &str) -> Vec<String> {
    let mut heap = Vec::new();
    let text = text.trim_start_matches('-');
    let (seen, hidden) = text.split_once('?').unwrap_or((text, "0"));
    for card in seen.as_bytes().chunks(2) {
        heap.push(String::from_utf8(card.to_vec()).unwrap());
    }
    for _ in 0..hidden.parse::<usize>().unwrap() {
        heap.push("?".to_owned());
    }
    heap
}

fn heap_text(heap: &[String], sorted: bool) -> String {
    let mut seen: Vec<&String> = heap.iter().filter(|card| *card != "?").collect();
    if sorted {
        let order = |card: &&String| (value(card) as i32, card.as_bytes()[1]);
        seen.sort_by_key(order);
    }
    let hidden = heap.len() - seen.len();
    let mut text: String = seen.into_iter().cloned().collect();
    if hidden > 0 {
        text += &format!("?{hidden}");
    }
    if text.is_empty() { "-".to_owned() } else { text }
}

impl State {
    /// A state from a legal position's text.
    pub fn read(text: &str, mode: Mode, no_seal: bool) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut grid = [['.'; 10]; 8];
        let mut ball = [Ball::InHand; 2];
        for (row, line) in fields[0].split('/').enumerate() {
            let rank = 9 - row as i32;
            let mut file = 0;
            for letter in line.chars() {
                match letter {
                    '*' => file += 1,
                    '1'..='8' => file += letter as i32 - '0' as i32,
                    'o' | 'O' => {
                        ball[usize::from(letter == 'O')] = Ball::Loose((file, rank));
                        file += 1;
                    }
                    _ => {
                        grid[file as usize][rank as usize] = letter;
                        file += 1;
                    }
                }
            }
        }
        let mut defender = [None; 2];
        for (side, roles) in fields[4].split('/').enumerate() {
            let (carrier, named) = roles.split_once(':').unwrap();
            if carrier != "-" {
                ball[side] = Ball::Carried(parse_at(carrier));
            }
            defender[side] = Some(parse_at(named));
        }
        let pack = matches!(mode, Mode::Cards(_)).then(|| {
            let words = fields.get(7).copied().unwrap_or("W=?10/B=?10/S=?20/D=-");
            let heaps: Vec<_> = words.split('/').map(|word| parse_heap(&word[2..])).collect();
            let masked = [0, 1].map(|side: usize| heaps[side].contains(&"?".to_owned()));
            Pack {
                hands: [heaps[0].clone(), heaps[1].clone()],
                stock: heaps[2].clone(),
                discards: heaps[3].clone(),
                table: Vec::new(),
                masked,
            }
        });
        Self {
            mode,
            no_seal,
            grid,
            ball,
            defender,
            mover: usize::from(fields[1] == "b"),
            rights: fields[2].replace('-', ""),
            passed: (fields[3] != "-").then(|| parse_at(fields[3])),
            half_moves: fields[5].parse().unwrap(),
            number: fields[6].parse().unwrap(),
            pack,
            stage: Stage::Move,
            throwers: Vec::new(),
            stepped: None,
            resets: false,
            spoken: false,
            second: false,
            equal: false,
        }
    }

    /// The position's text.
    pub fn text(&self) -> String {
        let mut lines = Vec::new();
        for rank in (0..10).rev() {
            let mut line = String::new();
            let mut empty = 0;
            for file in 0..8 {
                let at = (file, rank);
                let letter = if !is_cell(at) {
                    '*'
                } else if self.ball[0] == Ball::Loose(at) {
                    'o'
                } else if self.ball[1] == Ball::Loose(at) {
                    'O'
                } else {
                    self.piece(at).unwrap_or('.')
                };
                if letter == '.' {
                    empty += 1;
                } else {
                    if empty > 0 {
                        line += &empty.to_string();
                    }
                    empty = 0;
                    line.push(letter);
                }
            }
            if empty > 0 {
                line += &empty.to_string();
            }
            lines.push(line);
        }
        let roles = [0, 1].map(|side: usize| {
            let carrier = match self.ball[side] {
                Ball::Carried(at) => name(at),
                _ => "-".to_owned(),
            };
            format!("{carrier}:{}", self.defender[side].map_or("-".to_owned(), name))
        });
        let mut text = format!(
            "{} {} {} {} {} {} {}",
            lines.join("/"),
            ["w", "b"][self.mover],
            if self.rights.is_empty() { "-" } else { &self.rights },
            self.passed.map_or("-".to_owned(), name),
            roles.join("/"),
            self.half_moves,
            self.number,
        );
        if let Some(pack) = &self.pack {
            text += &format!(
                " W={}/B={}/S={}/D={}",
                heap_text(&pack.hands[0], true),
                heap_text(&pack.hands[1], true),
                heap_text(&pack.stock, false),
                heap_text(&pack.discards, true)
            );
        }
        text
    }

    /// `w`, `b`, `chance`, or the reason why the game is over.
    pub fn speaker(&self) -> &'static str {
        match self.stage {
            Stage::Over(reason) => reason,
            Stage::Roll | Stage::LeadDraw | Stage::FollowDraw => "chance",
            Stage::Call { .. } | Stage::Follow => ["b", "w"][self.mover],
            _ => ["w", "b"][self.mover],
        }
    }

    /// What has to be decided: `Move`, `Place`, `Call`, …
    pub fn stage(&self) -> String {
        let stage = format!("{:?}", self.stage);
        stage.split(['(', ' ']).next().unwrap_or_default().to_owned()
    }

    /// The wicket the mover attacks: `@e9` or `@e0`.
    pub fn goal(&self) -> String {
        format!("@{}", name(wicket(1 - self.mover)))
    }

    /// True between turns.
    pub fn between_turns(&self) -> bool {
        self.stage == Stage::Move
    }

    /// Between turns: whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        !self.king_is_safe(self.mover)
    }

    fn piece(&self, (file, rank): At) -> Option<char> {
        Some(self.grid[file as usize][rank as usize]).filter(|&letter| letter != '.')
    }

    fn piece_of(&self, side: usize, at: At) -> Option<char> {
        self.piece(at).filter(|&letter| side_of(letter) == side)
    }

    fn set(&mut self, (file, rank): At, letter: char) {
        self.grid[file as usize][rank as usize] = letter;
    }

    fn loose_ball(&self, at: At) -> Option<usize> {
        [0, 1].into_iter().find(|&side: &usize| self.ball[side] == Ball::Loose(at))
    }

    fn vacant(&self, at: At) -> bool {
        self.piece(at).is_none() && self.loose_ball(at).is_none()
    }

    /// The cells of a line from `from`, up to and including the first occupied one.
    fn line(&self, from: At, way: At) -> Vec<At> {
        let mut passed = Vec::new();
        let mut at = (from.0 + way.0, from.1 + way.1);
        while is_cell(at) {
            passed.push(at);
            if !self.vacant(at) {
                break;
            }
            at = (at.0 + way.0, at.1 + way.1);
        }
        passed
    }

    /// Cells that the piece on `from` attacks (its capturing move), whatever is there.
    fn attacks(&self, from: At) -> Vec<At> {
        let Some(letter) = self.piece(from) else { return Vec::new() };
        let steps = |ways: &[At]| -> Vec<At> {
            ways.iter().map(|way| (from.0 + way.0, from.1 + way.1)).filter(|&at| is_cell(at)).collect()
        };
        let lines = |ways: &[At]| ways.iter().flat_map(|&way| self.line(from, way)).collect();
        match letter.to_ascii_uppercase() {
            'K' => steps(&ALL_WAYS),
            'N' => steps(&JUMPS),
            'R' => lines(&STRAIGHT),
            'B' => lines(&SLANTED),
            'Q' => lines(&ALL_WAYS),
            _ => {
                let forward = [1, -1][side_of(letter)];
                // R3: a pawn never attacks a wicket.
                steps(&[(-1, forward), (1, forward)]).into_iter().filter(|&at| !is_wicket(at)).collect()
            }
        }
    }

    fn king(&self, side: usize) -> At {
        let letter = ['K', 'k'][side];
        cells().find(|&at| self.piece(at) == Some(letter)).unwrap()
    }

    /// R40: pieces in wickets do not count as attackers.
    fn attacked(&self, at: At, by: usize) -> bool {
        cells()
            .filter(|&from| !is_wicket(from) && self.piece_of(by, from).is_some())
            .any(|from| self.attacks(from).contains(&at))
    }

    fn king_is_safe(&self, side: usize) -> bool {
        !self.attacked(self.king(side), 1 - side)
    }

    fn carrier(&self, side: usize) -> Option<At> {
        match self.ball[side] {
            Ball::Carried(at) => Some(at),
            _ => None,
        }
    }

    /// R52
    fn seen(&self) -> bool {
        let other = 1 - self.mover;
        self.defender[other].is_some_and(|at| self.attacks(at).contains(&wicket(other)))
    }

    /// All choices that are legal now, with the state after each. `.` is a decline that is not written.
    pub fn options(&self) -> Vec<(String, Self)> {
        match &self.stage {
            Stage::Over(_) => Vec::new(),
            Stage::Move => {
                let legal = self.moves().into_iter().filter(|(_, next)| next.can_end());
                legal.map(|(text, next)| (text, next.after_move())).collect()
            }
            Stage::Place(_) => {
                let legal = self.placements().into_iter().filter(|(_, next)| next.can_end());
                legal.map(|(text, next)| (text, next.before_throw())).collect()
            }
            Stage::Call { taken } => {
                let side = 1 - self.mover;
                let call = |at: At| {
                    let mut next = self.clone();
                    next.defender[side] = Some(at);
                    next.spoken = true;
                    (format!("D@{}", name(at)), if *taken { next.end() } else { next.before_throw() })
                };
                self.callable(side).into_iter().map(call).collect()
            }
            Stage::Throw => {
                let mut all = self.throws();
                if self.king_is_safe(self.mover) {
                    all.push((self.decline(), self.clone().end()));
                }
                all
            }
            Stage::Sacrifice => {
                let mut all = self.sacrifices();
                all.push((self.decline(), self.clone().end()));
                all
            }
            Stage::Roll => (1..=6).map(|face| (format!("={face}"), self.rolled(face))).collect(),
            Stage::Lead => {
                let mut all = self.plays(self.mover);
                if self.second && !self.equal {
                    all.push((self.decline(), self.clone().end()));
                }
                all
            }
            Stage::Follow => self.plays(1 - self.mover),
            Stage::LeadDraw => self.draws(self.mover),
            Stage::FollowDraw => self.draws(1 - self.mover),
        }
    }

    fn decline(&self) -> String {
        if self.spoken { "0000" } else { "." }.to_owned()
    }

    /// R44: some way to go on ends the turn with the mover's king safe. Looks at the state right after a move
    /// or a placement.
    fn can_end(&self) -> bool {
        if let Stage::Place(_) = self.stage {
            return self.placements().iter().any(|(_, next)| next.can_end());
        }
        self.king_is_safe(self.mover) || !self.throws().is_empty()
    }

    fn after_move(self) -> Self {
        match self.stage {
            Stage::Place(_) => self,
            Stage::Call { .. } if self.callable(1 - self.mover).is_empty() => self.over("R32"),
            Stage::Call { .. } => self,
            _ => self.before_throw(),
        }
    }

    fn before_throw(self) -> Self {
        if self.throws().is_empty() { self.end() } else { Self { stage: Stage::Throw, ..self } }
    }

    /// R31
    fn callable(&self, side: usize) -> Vec<At> {
        cells().filter(|&at| self.piece_of(side, at).is_some() && self.carrier(side) != Some(at)).collect()
    }

    /// The moves before checks are considered; the stage is Place, Call or Throw afterwards.
    fn moves(&self) -> Vec<(String, Self)> {
        let us = self.mover;
        let mut all = Vec::new();
        for from in cells() {
            let Some(letter) = self.piece_of(us, from) else { continue };
            if letter.eq_ignore_ascii_case(&'P') {
                for to in self.pawn_targets(from) {
                    if to.1 == 1 || to.1 == 8 {
                        for kind in ['q', 'r', 'b', 'n'] {
                            let text = format!("{}{}{kind}", name(from), name(to));
                            all.push((text, self.moved(from, to, Some(kind))));
                        }
                    } else {
                        all.push((format!("{}{}", name(from), name(to)), self.moved(from, to, None)));
                    }
                }
            } else {
                for to in self.attacks(from) {
                    if self.may_go(from, to) {
                        all.push((format!("{}{}", name(from), name(to)), self.moved(from, to, None)));
                    }
                }
            }
        }
        all.extend(self.castlings());
        all
    }

    /// R9, R17 to R20, R22, R29: whether the target's content and the wicket rules allow a move there.
    fn may_go(&self, from: At, to: At) -> bool {
        let us = self.mover;
        let is_defender = self.defender[us] == Some(from);
        let is_carrier = self.carrier(us) == Some(from);
        if let Some(target) = self.piece(to)
            && (side_of(target) == us || target.eq_ignore_ascii_case(&'K'))
        {
            return false;
        }
        match self.loose_ball(to) {
            Some(owner) if owner != us => return false,
            Some(_) => return !is_defender && to != wicket(us),
            None => {}
        }
        if to == wicket(us) {
            is_defender
        } else if to == wicket(1 - us) {
            is_carrier
        } else {
            true
        }
    }

    fn pawn_targets(&self, from: At) -> Vec<At> {
        let us = self.mover;
        let forward = [1, -1][us];
        let mut targets = Vec::new();
        let one = (from.0, from.1 + forward);
        if self.vacant(one) {
            targets.push(one);
            let two = (from.0, from.1 + 2 * forward);
            if from.1 == [2, 7][us] && self.vacant(two) {
                targets.push(two);
            }
        }
        for to in self.attacks(from) {
            let prey = self.piece(to).is_some() || self.loose_ball(to).is_some();
            if prey && self.may_go(from, to) || self.passed == Some(to) {
                targets.push(to);
            }
        }
        targets
    }

    fn moved(&self, from: At, to: At, promotion: Option<char>) -> Self {
        let (us, them) = (self.mover, 1 - self.mover);
        let mut next = self.clone();
        let letter = self.piece(from).unwrap();
        let pawn = letter.eq_ignore_ascii_case(&'P');
        let carried = self.carrier(us) == Some(from);
        let victim_at = if pawn && self.passed == Some(to) { (to.0, from.1) } else { to };
        next.passed = None;
        next.throwers.clear();
        next.spoken = false;
        next.second = false;
        next.equal = false;
        next.resets = pawn || self.piece(victim_at).is_some();
        next.stage = Stage::Throw;
        if self.piece(victim_at).is_some() {
            next.lost(victim_at);
            if self.carrier(them) == Some(victim_at) {
                next.ball[them] = Ball::InHand;
                next.stage = Stage::Place(to);
            } else if self.defender[them] == Some(victim_at) {
                next.defender[them] = None;
                next.stage = Stage::Call { taken: false };
            }
        }
        next.lost(from);
        let arriving = match promotion {
            Some(kind) if us == 0 => kind.to_ascii_uppercase(),
            Some(kind) => kind,
            None => letter,
        };
        next.set(to, arriving);
        if carried {
            next.ball[us] = Ball::Carried(to);
            next.throwers = vec![to];
        } else if self.ball[us] == Ball::Loose(to) {
            // R21, R23
            next.ball[us] = Ball::Carried(to);
        }
        if self.defender[us] == Some(from) {
            next.defender[us] = Some(to);
        }
        next.stepped = (pawn && (to.1 - from.1).abs() == 2).then_some(to);
        next
    }

    /// A cell is left or a piece lost there: empties it, with the castling rights that go.
    fn lost(&mut self, at: At) {
        let gone: &[char] = match (self.piece(at), at) {
            (Some('K'), _) => &['K', 'Q'],
            (Some('k'), _) => &['k', 'q'],
            (Some('R'), (7, 1)) => &['K'],
            (Some('R'), (0, 1)) => &['Q'],
            (Some('r'), (7, 8)) => &['k'],
            (Some('r'), (0, 8)) => &['q'],
            _ => &[],
        };
        self.rights.retain(|right| !gone.contains(&right));
        self.set(at, '.');
    }

    fn castlings(&self) -> Vec<(String, Self)> {
        let (us, them) = (self.mover, 1 - self.mover);
        let rank = [1, 8][us];
        let mut all = Vec::new();
        for (right, corner, path, crossed, to) in
            [(['K', 'k'][us], 7, vec![5, 6], 5, 6), (['Q', 'q'][us], 0, vec![1, 2, 3], 3, 2)]
        {
            let attacked = |file: i32| self.attacked((file, rank), them);
            if !self.rights.contains(right)
                || path.iter().any(|&file| !self.vacant((file, rank)))
                || attacked(4)
                || attacked(crossed)
                || attacked(to)
            {
                continue;
            }
            let rook = self.moved((corner, rank), (crossed, rank), None);
            let mut next = rook.moved((4, rank), (to, rank), None);
            next.stage = Stage::Throw;
            let pair = [(to, rank), (crossed, rank)];
            // R47: whichever of the two has the ball, both may throw, except a Defender.
            next.throwers = match next.carrier(us) {
                Some(at) if pair.contains(&at) => {
                    let others =
                        pair.into_iter().filter(|&other| other == at || next.defender[us] != Some(other));
                    others.collect()
                }
                _ => Vec::new(),
            };
            all.push((format!("e{rank}{}", name((to, rank))), next));
        }
        all
    }

    /// R25 to R27, before checks are considered.
    fn placements(&self) -> Vec<(String, Self)> {
        let Stage::Place(at) = self.stage else { return Vec::new() };
        let them = 1 - self.mover;
        let mut all = Vec::new();
        for way in ALL_WAYS {
            let to = (at.0 + way.0, at.1 + way.1);
            if is_cell(to) && self.vacant(to) && !(self.no_seal && to == wicket(them)) {
                let mut next = self.clone();
                next.ball[them] = Ball::Loose(to);
                next.stage = Stage::Throw;
                all.push((format!("O@{}", name(to)), next));
            }
        }
        all
    }

    /// R11 to R16, R42, R43.
    fn throws(&self) -> Vec<(String, Self)> {
        let (us, them) = (self.mover, 1 - self.mover);
        let mut targets: Vec<At> = Vec::new();
        for &from in &self.throwers {
            for way in ALL_WAYS {
                for to in self.line(from, way) {
                    let receiver = self.piece_of(us, to).is_some()
                        && self.defender[us] != Some(to)
                        && self.carrier(us) != Some(to);
                    let free = self.vacant(to) && !(self.no_seal && to == wicket(us));
                    if (free || receiver) && !targets.contains(&to) {
                        targets.push(to);
                    }
                }
            }
        }
        let mut all = Vec::new();
        for to in targets {
            let mut next = self.clone();
            next.spoken = false;
            let free = self.vacant(to);
            next.ball[us] = if free { Ball::Loose(to) } else { Ball::Carried(to) };
            if !next.king_is_safe(us) {
                continue;
            }
            let attempt = free && to == wicket(them);
            if attempt && !next.survives_success() {
                continue;
            }
            all.push((format!("O@{}", name(to)), if attempt { next.attempt() } else { next.end() }));
        }
        all
    }

    /// R43, second half.
    fn survives_success(&self) -> bool {
        let them = 1 - self.mover;
        let needs_sacrifice = matches!(self.mode, Mode::Pieces(_)) && self.seen();
        needs_sacrifice || self.safe_without_defender(them)
    }

    fn safe_without_defender(&self, them: usize) -> bool {
        // Before a call no piece is Defender. Whichever is named, this is asked again then.
        let Some(at) = self.defender[them] else { return true };
        if at == self.king(them) {
            return true;
        }
        let mut lifted = self.clone();
        lifted.set(at, '.');
        lifted.king_is_safe(self.mover)
    }

    fn attempt(mut self) -> Self {
        match self.mode {
            Mode::Pieces(_) if !self.seen() => self.taken(),
            Mode::Pieces(_) => self.before_sacrifice(),
            Mode::Dice(_) => {
                self.stage = Stage::Roll;
                self
            }
            Mode::Cards(_) => {
                self.stage = Stage::Lead;
                self
            }
        }
    }

    fn before_sacrifice(mut self) -> Self {
        self.stage = Stage::Sacrifice;
        if self.sacrifices().is_empty() { self.end() } else { self }
    }

    /// R53
    fn taken(mut self) -> Self {
        let them = 1 - self.mover;
        let at = self.defender[them].unwrap();
        if at == self.king(them) {
            return self.over("R53");
        }
        self.lost(at);
        self.defender[them] = None;
        self.resets = true;
        if self.callable(them).is_empty() {
            return self.over("R32");
        }
        Self { stage: Stage::Call { taken: true }, ..self }
    }

    /// R54, R55
    fn sacrifices(&self) -> Vec<(String, Self)> {
        let (us, them) = (self.mover, 1 - self.mover);
        let price = match self.mode {
            Mode::Pieces(price) => price,
            _ => 1,
        };
        // `cells` goes by file, then rank.
        let own: Vec<At> = cells()
            .filter(|&at| {
                self.piece_of(us, at).is_some() && at != self.king(us) && self.defender[us] != Some(at)
            })
            .collect();
        let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in 0..price {
            let longer = |set: &Vec<usize>| -> Vec<Vec<usize>> {
                let first = set.last().map_or(0, |last| last + 1);
                (first..own.len()).map(|next| set.iter().copied().chain([next]).collect()).collect()
            };
            sets = sets.iter().flat_map(longer).collect();
        }
        let mut all = Vec::new();
        for set in sets {
            let mut next = self.clone();
            next.spoken = false;
            for &index in &set {
                next.lost(own[index]);
            }
            next.resets = true;
            let dice = matches!(self.mode, Mode::Dice(_));
            if dice && !next.king_is_safe(us) || !next.safe_without_defender(them) {
                continue;
            }
            let text: Vec<String> = set.iter().map(|&index| format!("X@{}", name(own[index]))).collect();
            let after = if dice { Self { stage: Stage::Roll, ..next } } else { next.taken() };
            all.push((text.join(","), after));
        }
        all
    }

    fn failed(mut self) -> Self {
        match self.mode {
            Mode::Dice(true) if !self.second => {
                self.second = true;
                self.before_sacrifice()
            }
            Mode::Cards(true) if !self.second => {
                self.second = true;
                self.equal = false;
                Self { stage: Stage::Lead, ..self }
            }
            _ => self.end(),
        }
    }

    /// R65
    fn rolled(&self, face: u32) -> Self {
        let mut next = self.clone();
        next.spoken = true;
        let success = if self.seen() { face >= 5 } else { face >= 3 };
        if success { next.taken() } else { next.failed() }
    }

    fn unseen_cards(&self) -> Vec<String> {
        let pack = self.pack.as_ref().unwrap();
        let heaps = [&pack.hands[0], &pack.hands[1], &pack.stock, &pack.discards, &pack.table];
        all_cards().into_iter().filter(|card| heaps.iter().all(|heap| !heap.contains(card))).collect()
    }

    /// R62
    fn plays(&self, side: usize) -> Vec<(String, Self)> {
        let pack = self.pack.as_ref().unwrap();
        let hand = &pack.hands[side];
        let mut possible: Vec<String> = hand.iter().filter(|card| *card != "?").cloned().collect();
        let known = possible.clone();
        if hand.iter().any(|card| card == "?") {
            possible.extend(self.unseen_cards());
        }
        if let Some(lead) = pack.table.first() {
            let follows = |card: &String| card[1..] == lead[1..];
            if known.iter().any(follows) {
                possible.retain(follows);
            }
        }
        let play = |card: String| {
            let mut next = self.clone();
            next.spoken = false;
            let pack = next.pack.as_mut().unwrap();
            let spent = if pack.hands[side].contains(&card) { card.clone() } else { "?".to_owned() };
            let place = pack.hands[side].iter().position(|held| *held == spent).unwrap();
            pack.hands[side].remove(place);
            pack.table.push(card.clone());
            if pack.stock.is_empty() {
                pack.stock = pack.discards.drain(..).map(|_| "?".to_owned()).collect();
            }
            next.stage = if self.stage == Stage::Lead { Stage::LeadDraw } else { Stage::FollowDraw };
            (format!("={card}"), next)
        };
        possible.into_iter().map(play).collect()
    }

    fn draws(&self, side: usize) -> Vec<(String, Self)> {
        let pack = self.pack.as_ref().unwrap();
        let possible = if pack.stock[0] != "?" {
            vec![pack.stock[0].clone()]
        } else if pack.masked[side] {
            vec!["?".to_owned()]
        } else {
            self.unseen_cards()
        };
        let draw = |card: String| {
            let mut next = self.clone();
            let pack = next.pack.as_mut().unwrap();
            pack.stock.remove(0);
            pack.hands[side].push(card.clone());
            let text = format!("+{card}");
            if self.stage == Stage::LeadDraw {
                next.stage = Stage::Follow;
                return (text, next);
            }
            next.spoken = true;
            let table: Vec<String> = pack.table.drain(..).collect();
            pack.discards.extend(table.iter().cloned());
            let bonus = if self.seen() { 2.5 } else { 0.0 };
            let (ours, theirs) = (value(&table[0]), value(&table[1]) + bonus);
            let next = if ours > theirs {
                next.taken()
            } else if ours < theirs {
                next.failed()
            } else {
                next.equal = true;
                Self { stage: Stage::Lead, ..next }
            };
            (text, next)
        };
        possible.into_iter().map(draw).collect()
    }

    /// R70: the game ends in the middle of the turn, which ends with it.
    fn over(self, rule: &'static str) -> Self {
        Self { stage: Stage::Over(rule), ..self.end() }
    }

    fn end(mut self) -> Self {
        let (us, them) = (self.mover, 1 - self.mover);
        if let Some(at) = self.stepped {
            let behind = (at.0, at.1 - [1, -1][us]);
            let still_there = self.piece(at) == Some(['P', 'p'][us]);
            let ready = [-1, 1].into_iter().any(|side: i32| {
                let beside = (at.0 + side, at.1);
                is_cell(beside) && self.piece(beside) == Some(['P', 'p'][them])
            });
            if still_there && ready && self.vacant(behind) {
                self.passed = Some(behind);
            }
        }
        self.half_moves = if self.resets { 0 } else { self.half_moves + 1 };
        self.number += us as u32;
        self.mover = them;
        self.stage = Stage::Move;
        self.throwers.clear();
        self.stepped = None;
        self.resets = false;
        self.spoken = false;
        self.second = false;
        self.equal = false;
        if let Some(pack) = &mut self.pack {
            pack.masked = [0, 1].map(|side: usize| pack.hands[side].contains(&"?".to_owned()));
        }
        self
    }
}
