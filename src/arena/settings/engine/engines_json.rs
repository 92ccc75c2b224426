//! The list of engines that cutechess keeps, `engines.json`.

use super::EngineKeys;
use crate::arena::SettingsError;
use crate::base::similar;
use crate::client::Protocol;
use serde::Deserialize;
use std::path::PathBuf;

/// An engine of the list. What a match does not need is left out.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Entry {
    name: String,
    command: String,
    working_directory: String,
    stderr_file: String,
    protocol: String,
    timeout_scale_factor: Option<f64>,
    init_strings: Vec<String>,
    // cutechess writes these two without capitals.
    #[serde(rename = "whitepov")]
    white_scores: bool,
    ponder: bool,
    debug: bool,
    restart: String,
    options: Vec<EntryOption>,
}

/// An option of an engine, with the value that cutechess would set.
#[derive(Debug, Deserialize)]
struct EntryOption {
    name: String,
    #[serde(default)]
    value: serde_json::Value,
}

/// The places of the list, in cutechess's order.
fn places() -> Vec<PathBuf> {
    let folder = |variable: &str, inner: &str| {
        std::env::var_os(variable).filter(|path| !path.is_empty()).map(|path| PathBuf::from(path).join(inner))
    };
    let settings = if cfg!(windows) {
        folder("APPDATA", "cutechess")
    } else {
        folder("XDG_CONFIG_HOME", "cutechess").or_else(|| folder("HOME", ".config/cutechess"))
    };
    let mut places = vec![PathBuf::from("engines.json")];
    places.extend(settings.map(|folder| folder.join("engines.json")));
    places
}

/// The settings of the engine called `name`.
///
/// # Errors
/// When there is no list, or no such engine in it.
pub fn named(name: &str) -> Result<EngineKeys, SettingsError> {
    let refused = |why: String| SettingsError(format!("-engine conf={name}: {why}"));
    let places = places();
    let Some(path) = places.iter().find(|path| path.is_file()) else {
        let all: Vec<String> = places.iter().map(|path| path.display().to_string()).collect();
        return Err(refused(format!("there is no {}", all.join(" and no "))));
    };
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| refused(format!("{shown}: {error}")))?;
    find(&text, name).map_err(|why| refused(format!("{shown}: {why}")))
}

/// The engine called `name` in the text of a list.
fn find(text: &str, name: &str) -> Result<EngineKeys, String> {
    let mut entries: Vec<Entry> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let Some(place) = entries.iter().position(|entry| entry.name == name) else {
        let meant = similar(name, entries.iter().map(|entry| entry.name.as_str()));
        let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
        return Err(format!("it has no engine of this name{meant}"));
    };
    let entry = entries.swap_remove(place);
    let given = |text: String| Some(text).filter(|text| !text.is_empty());
    let option = |option: &EntryOption| {
        let value = match &option.value {
            serde_json::Value::Null => return None,
            serde_json::Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        Some(format!("{}={value}", option.name))
    };
    Ok(EngineKeys {
        name: given(entry.name),
        cmd: given(entry.command),
        dir: given(entry.working_directory).map(PathBuf::from),
        stderr: given(entry.stderr_file).map(PathBuf::from),
        proto: Protocol::named(if entry.protocol == "xboard" { "cecp" } else { &entry.protocol }),
        tscale: entry.timeout_scale_factor,
        init: entry.init_strings,
        whitepov: Some(entry.white_scores),
        ponder: Some(entry.ponder),
        debug: Some(entry.debug),
        restart: given(entry.restart).map(|mode| mode == "on"),
        option: entry.options.iter().filter_map(option).collect(),
        ..EngineKeys::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = r#"[
        {"name": "Sloppy", "command": "sloppy", "protocol": "xboard", "workingDirectory": "/tmp", "stderrFile": ""},
        {"name": "Fruit", "command": "fruit -x", "protocol": "uci", "workingDirectory": "", "ponder": true,
         "initStrings": ["setoption name A"], "timeoutScaleFactor": 2, "restart": "on", "variants": ["standard"],
         "options": [{"name": "Hash", "type": "spin", "value": 64, "default": 16, "min": 1, "max": 1024},
                     {"name": "Clear", "type": "button"}, {"name": "Book", "type": "text", "value": "a b", "default": ""}]}
    ]"#;

    #[test]
    fn engines_of_the_list_are_found_by_their_names() {
        let fruit = find(LIST, "Fruit").unwrap();
        assert_eq!((fruit.cmd.as_deref(), fruit.dir, fruit.tscale), (Some("fruit -x"), None, Some(2.0)));
        assert_eq!(
            (fruit.ponder, fruit.restart, fruit.proto),
            (Some(true), Some(true), Protocol::named("uci"))
        );
        assert_eq!(
            (fruit.option, fruit.init),
            (vec!["Hash=64".to_owned(), "Book=a b".to_owned()], vec!["setoption name A".to_owned()])
        );
        let sloppy = find(LIST, "Sloppy").unwrap();
        assert_eq!((sloppy.proto, sloppy.dir), (Protocol::named("cecp"), Some(PathBuf::from("/tmp"))));
        assert!(find(LIST, "sloppy").unwrap_err().contains("did you mean `Sloppy`"));
        assert!(find("{", "x").is_err() && find("[]", "x").is_err());
    }
}
