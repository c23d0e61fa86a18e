//! A game and its states to what an agent is told of them: strings of symbols, or English for language models.

use racgen_logic::seed::stream;
use racgen_logic::term::Term;

use crate::games::play::ground_game::Board;
use crate::games::words::phrase_book::GameBook;
use crate::games::words::verbalizer::GameVerbalizer;
use crate::iq::error::IqError;
use crate::iq::play::table::GameTable;
use crate::language::tell::verbalize::Verbalize;

/// How states, moves and rules are told.
#[derive(Clone, Debug, Default)]
pub struct GameTelling {
    /// In English, by the phrase book of all games, if there is one.
    book: Option<GameBook>,
}

impl GameTelling {
    /// By symbols, in the notation of the rules.
    pub fn symbols() -> GameTelling {
        GameTelling { book: None }
    }

    /// In English.
    ///
    /// # Errors
    /// Faults of racgen's own phrases.
    pub fn english() -> Result<GameTelling, IqError> {
        Ok(GameTelling { book: Some(GameBook::generic()?) })
    }

    /// A state.
    pub fn state(&self, table: &GameTable, board: &Board) -> String {
        let Some(book) = &self.book else { return table.seen(board) };
        let whole = table.whole();
        let fluents = board.fluents();
        let fluents: Vec<&Term> = fluents.iter().map(|fluent| &whole.fluents[*fluent as usize]).collect();
        // One wording for a state, whenever it comes.
        let mut rng = stream(0, &["iq", "told", &table.seen(board)]);
        GameVerbalizer { book, arena: &table.arena }.situation(&fluents, &mut rng).join(" ")
    }

    /// A move.
    pub fn made(&self, table: &GameTable, made: u32) -> String {
        match self.book {
            Some(_) => table.whole().moves[made as usize].1.to_string(),
            None => table.told(made),
        }
    }

    /// The rules.
    pub fn rules(&self, table: &GameTable) -> String {
        let Some(book) = &self.book else { return table.grammar.derived.rules.clone() };
        let mut rng = stream(0, &["iq", "rules", &table.grammar.id()]);
        let Ok(sentences) = GameVerbalizer { book, arena: &table.arena }.rules(&mut rng);
        sentences.join(" ")
    }
}
