//! Names with a town after them: "Anton Adler, Hamburg" is Anton Adler, and "Adler, Anton" is he as well.

use super::name_words;

/// What the words around a comma tell of a name.
enum Told {
    /// All words of a name that is known stand before it.
    Town,
    /// A name that is known stands on both sides of it.
    FamilyFirst,
    Nothing,
}

/// Takes the towns off names that one hand wrote. Names that are `known` tell what stands after a comma; where they do not, it is a town if
/// two names or more have a comma, and all of these have two words or more before it.
pub fn without_towns(names: &mut [String], known: &[&str]) {
    let tell = |name: &String| name.split_once(',').map(|(before, behind)| told(before, behind, known));
    let all: Vec<Told> = names.iter().filter_map(tell).collect();
    let is_proven = all.iter().any(|told| matches!(told, Told::Town));
    let is_refuted = all.iter().any(|told| matches!(told, Told::FamilyFirst));
    let are_towns = all.len() >= 2 && names.iter().filter_map(|name| name.split_once(',')).all(|(b, _)| is_whole(b));
    if is_refuted || !(is_proven || are_towns) {
        return;
    }
    for name in names {
        let whole = name.split_once(',').map(|(before, _)| before.trim().to_owned()).filter(|before| is_whole(before));
        if let Some(whole) = whole {
            *name = whole;
        }
    }
}

fn told(before: &str, behind: &str, known: &[&str]) -> Told {
    let (before, behind) = (name_words(before), name_words(behind));
    let persons: Vec<Vec<String>> = known.iter().map(|name| name_words(name)).filter(|words| words.len() > 1).collect();
    let some = |words: &[String], of: &[String]| words.iter().any(|word| of.contains(word));
    if persons.iter().any(|words| some(words, &before) && some(words, &behind)) {
        Told::FamilyFirst
    } else if persons.iter().any(|words| words.iter().all(|word| before.contains(word))) {
        Told::Town
    } else {
        Told::Nothing
    }
}

/// Two words or more that begin with a capital.
fn is_whole(before: &str) -> bool {
    before.split_whitespace().filter(|word| word.starts_with(char::is_uppercase)).count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(names: &[&str], known: &[&str]) -> Vec<String> {
        let mut names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        without_towns(&mut names, known);
        names
    }

    #[test]
    fn a_town_is_known_by_the_person_before_it() {
        let known = ["Quillfeather, Tobin"];
        assert_eq!(
            without(&["Anton Adler, Hamburg", "Tobin Quillfeather, Vienna"], &known),
            ["Anton Adler", "Tobin Quillfeather"]
        );
        assert_eq!(without(&["Anton Adler, Hamburg"], &["Anton Adler"]), ["Anton Adler"]);
        assert_eq!(without(&["Anton Adler, Hamburg", "Bo Ek, Lund"], &[]), ["Anton Adler", "Bo Ek"]);
    }

    #[test]
    fn a_given_name_stays() {
        for names in [&["Adler, Anton", "Quillfeather, Tobin"][..], &["Garcia Lopez, Juan", "Quillfeather, Tobin"]] {
            assert_eq!(without(names, &["Tobin Quillfeather"]), names);
            assert_eq!(without(names, &[]), names);
        }
        assert_eq!(without(&["Garcia Lopez, Juan"], &[]), ["Garcia Lopez, Juan"]);
    }
}
