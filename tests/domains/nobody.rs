//! Promise: a rationale names nobody whom the texts beside it do not name.

use racgen::factory::settings::Settings;

use crate::common::further::settings;

#[test]
fn rationales_name_nobody_whom_their_texts_do_not_name() {
    let persons = crate::common::package("logistics").common.persons;
    let (mut with, mut without) = (0, 0);
    for group in ["prediction", "time"] {
        let wanted =
            Settings { levels: vec![1], depths: vec![1], rationale: true, ..settings(group, 150, 77) };
        let wanted = if group == "prediction" { Settings { ask: Vec::new(), ..wanted } } else { wanted };
        for item in crate::common::made("logistics", &wanted) {
            let row = &item.row;
            let texts = [&*row.context, &*row.question, &*row.answer].concat();
            let words = |text: &str| {
                text.split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect::<Vec<String>>()
            };
            let (told, said) = (words(&texts), words(&row.rationale));
            for person in persons.iter().filter(|person| said.contains(person)) {
                assert!(told.contains(person), "{person} is named in no text but this:\n{}", row.rationale);
                with += 1;
            }
            without += usize::from(!persons.iter().any(|person| said.contains(person)));
        }
    }
    assert!(with > 20 && without > 20, "{with} rationales name a person, {without} do not");
}
