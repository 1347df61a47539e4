//! What a memory holds that no file said.

use crate::read::Form;

/// What was entered when a memory was made, and was in no file: that a form cannot express it is no loss.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Implied {
    /// Parts of the producer.
    pub producer: ImpliedProducer,
    /// Whether the unit of ticks follows from the form.
    pub ticks: bool,
    /// Whether name, digests and size of the model were taken from the model itself.
    pub model: bool,
    /// Whether the identities of blocks were made up; they are not written then.
    pub ids: bool,
    /// Whether kinds of blocks follow from what else is kept of them.
    pub kinds: bool,
    /// Whether the operators of blocks are their origins once more.
    pub operators: bool,
}

/// What of a producer was in no file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ImpliedProducer {
    /// Nothing: all of it was in the file.
    #[default]
    Nothing,
    /// Its name, which follows from the form.
    Name,
    /// All: the data was made by this program.
    All,
}

impl Implied {
    /// What is entered when a memory is made from a model.
    pub fn of_model() -> Self {
        Self { producer: ImpliedProducer::All, ticks: true, model: true, ids: true, ..Self::default() }
    }

    /// What the reader of a form fills in by itself.
    pub fn by(form: Form) -> Self {
        let producer = match form {
            Form::Aidge | Form::Vela | Form::TflmPlan | Form::OnertPlanner => ImpliedProducer::Name,
            _ => ImpliedProducer::Nothing,
        };
        Self {
            producer,
            ticks: form != Form::Own,
            model: false,
            ids: false,
            // Kept as the purpose that Vela names.
            kinds: form == Form::Vela,
            // A node of Aidge's is origin and operator.
            operators: form == Form::Aidge,
        }
    }
}
