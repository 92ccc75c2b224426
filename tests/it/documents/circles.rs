//! Files of a room may use each other in pairs (a board and the reading of its plies), but not around a ring of three and more: then none of
//! them can be read alone. The rooms `search` and `variants` are left out; there files share one state.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The name of a module: its path from the root of the crate.
type Module = Vec<String>;

/// What a file names: the absolute paths that it uses, and those that it only passes on by `pub use`.
#[derive(Default)]
struct File {
    uses: Vec<Module>,
    passes_on: Vec<Module>,
    /// The code without `use` lines.
    body: String,
}

/// The paths in the tree of a `use`: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn expanded(tree: &str) -> Vec<String> {
    let Some((before, group)) = tree.split_once('{') else {
        return vec![tree.split(" as ").next().unwrap().trim().to_owned()];
    };
    let group = group.trim_end().strip_suffix('}').unwrap();
    let (mut depth, mut begin, mut found) = (0, 0, Vec::new());
    for (at, letter) in group.char_indices().chain([(group.len(), ',')]) {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let member = group[begin..at].trim();
                found.extend(Some(member).filter(|member| !member.is_empty()).map(expanded));
                begin = at + 1;
            }
            _ => {}
        }
    }
    found.concat().into_iter().map(|member| format!("{}{member}", before.trim())).collect()
}

/// The absolute path of `path` in the file of `module`; `None` for what is not ours.
fn absolute(modules: &BTreeSet<Module>, module: &Module, path: &str) -> Option<Module> {
    let mut words = path.split("::").map(|word| word.trim().to_owned()).peekable();
    let mut base = match words.peek()?.as_str() {
        "crate" => Vec::new(),
        "self" | "super" => module.clone(),
        first => {
            let child = [module.clone(), vec![first.to_owned()]].concat();
            return modules.contains(&child).then(|| [module.clone(), words.collect()].concat());
        }
    };
    while let Some(word) = words.next_if(|word| ["crate", "self", "super"].contains(&word.as_str())) {
        if word == "super" {
            base.pop();
        }
    }
    Some([base, words.collect()].concat())
}

fn read(modules: &BTreeSet<Module>, module: &Module, text: &str) -> File {
    let mut file = File::default();
    let mut lines = text.lines().map(|line| line.split("//").next().unwrap());
    while let Some(line) = lines.next() {
        let start = line.trim_start();
        let private = ["pub(crate) ", "pub(super) ", "pub "].iter().find_map(|word| start.strip_prefix(word));
        let Some(tree) = private.unwrap_or(start).strip_prefix("use ") else {
            file.body.push_str(line);
            file.body.push('\n');
            continue;
        };
        let mut tree = tree.to_owned();
        while !tree.ends_with(';') {
            tree.push_str(lines.next().unwrap().trim());
        }
        let paths = expanded(tree.trim_end_matches(';'));
        let paths = paths.iter().filter_map(|path| absolute(modules, module, path));
        if private.is_some() { file.passes_on.extend(paths) } else { file.uses.extend(paths) }
    }
    for root in ["crate::", "super::"] {
        for (at, _) in file.body.match_indices(root) {
            let rest = &file.body[at..];
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(rest.len());
            file.uses.extend(absolute(modules, module, rest[..end].trim_end_matches(':')));
        }
    }
    file
}

/// The file that defines what `path` names: what a file passes on is another's.
fn home(files: &BTreeMap<Module, File>, path: &[String]) -> Module {
    let mut path = path.to_vec();
    // A name that is passed on from file to file has a home after so many of them at the latest.
    for _ in 0..6 {
        let known = (0..=path.len()).rev().find(|&length| files.contains_key(&path[..length])).unwrap();
        let (module, rest) = path.split_at(known);
        let file = &files[module];
        let named =
            |name: &String| file.passes_on.iter().chain(&file.uses).find(|whole| whole.last() == Some(name));
        match rest.first().and_then(named).filter(|&whole| *whole != path) {
            Some(whole) => path = [whole.as_slice(), &rest[1..]].concat(),
            None => break,
        }
    }
    let known = (0..=path.len()).rev().find(|&length| files.contains_key(&path[..length])).unwrap();
    path.truncate(known);
    path
}

/// Every file below `src` but those of tests, and which others it uses.
fn uses() -> BTreeMap<Module, BTreeSet<Module>> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let texts: BTreeMap<Module, String> = super::layers::sources(&src)
        .into_iter()
        .filter_map(|path| {
            let name = path.strip_prefix(&src).unwrap().with_extension("");
            let mut module: Module = name.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
            if module.iter().any(|part| part == "tests") {
                return None;
            }
            module.pop_if(|last| ["mod", "lib", "main"].contains(&last.as_str()));
            let text = std::fs::read_to_string(&path).unwrap();
            Some((module, text.split("#[cfg(test)]\nmod tests {").next().unwrap().to_owned()))
        })
        .collect();
    let modules = texts.keys().cloned().collect();
    let files: BTreeMap<_, _> =
        texts.iter().map(|(module, text)| (module.clone(), read(&modules, module, text))).collect();
    let used = |module: &Module, file: &File| {
        // Of what it passes on, a file may use something itself.
        let word =
            |name: &str| file.body.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
        let own = file.passes_on.iter().filter(|path| path.last().is_some_and(|name| word(name)));
        let mut used: BTreeSet<_> = file.uses.iter().chain(own).map(|path| home(&files, path)).collect();
        used.remove(module);
        used
    };
    files.iter().map(|(module, file)| (module.clone(), used(module, file))).collect()
}

/// The files that use each other around a ring with this one, itself among them.
fn ring<'a>(uses: &'a BTreeMap<Module, BTreeSet<Module>>, module: &'a Module) -> BTreeSet<&'a Module> {
    let reached = |from: &'a Module| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![from]);
        while let Some(module) = next.pop() {
            next.extend(uses[module].iter().filter(|used| seen.insert(*used)));
        }
        seen
    };
    reached(module).into_iter().filter(|other| reached(other).contains(module)).collect()
}

#[test]
fn no_three_files_use_each_other_around_a_ring() {
    let uses = uses();
    let mut pairs = BTreeSet::new();
    for module in uses.keys() {
        let room = module.first().map_or("", String::as_str);
        let ring = ring(&uses, module);
        if ring.len() == 2 {
            pairs.insert(ring);
        } else if !["search", "variants"].contains(&room) {
            assert!(ring.len() <= 2, "{ring:?}");
        }
    }
    // XBoard's board and the reading of its plies: if this pair is not seen, nothing is.
    let [mirror, reading] = ["mirror", "reading"].map(|file| ["xboard", file].map(str::to_owned).to_vec());
    assert!(pairs.contains(&BTreeSet::from([&mirror, &reading])), "{pairs:?}");
}
