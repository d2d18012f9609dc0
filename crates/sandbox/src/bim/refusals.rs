//! What the model refuses, as what the SDK says.

use holdpoint_check::{Sentence, args};
use holdpoint_model::{CreateRefused, EditError, EntityRef, Sort};

use crate::{
    error::{
        ELEMENT_OF_FILE, IN_MODEL, MEMBER, METHOD, MODEL_SIZE, NUMBERS, OBJECT_OF_FILE, PROFILE_OF_FILE,
        STOREY_OF_FILE, SdkError, WALL_OF_FILE,
    },
    gate::{Call, Refusal},
};

/// MiB of a model with its changes.
const MAX_MODEL_MIB: usize = 4096;

pub(crate) fn entity_missing(call: &Call<'_>, entity: &EntityRef) -> Refusal {
    let (id, model) = (entity.express_id, &entity.model_id);
    SdkError::not_found(call.path, &Sentence::of(&IN_MODEL, args! { id, model })).into()
}

/// A parameter, or a number that the file does not have.
pub(crate) fn of_refused(call: &Call<'_>, refused: CreateRefused) -> Refusal {
    match refused {
        CreateRefused::Argument { argument, member, expected } if member.is_empty() => {
            SdkError::argument(call.path, argument, &expected).into()
        }
        CreateRefused::Argument { argument, member, expected } => {
            let expected = Sentence::of(&MEMBER, args! { member, expected });
            SdkError::argument(call.path, argument, &expected).into()
        }
        CreateRefused::NotFound(sort, id) => {
            let code = match sort {
                Sort::Storey => &STOREY_OF_FILE,
                Sort::Wall => &WALL_OF_FILE,
                Sort::Element => &ELEMENT_OF_FILE,
                Sort::Object => &OBJECT_OF_FILE,
                Sort::Profile => &PROFILE_OF_FILE,
                Sort::Method => &METHOD,
            };
            let id = id.to_string();
            SdkError::not_found(call.path, &Sentence::of(code, args! { id })).into()
        }
    }
}

/// A change that a model refused.
pub(crate) fn of_edit(call: &Call<'_>, model: &str, error: EditError) -> Refusal {
    match error {
        EditError::Refused(refused) => of_refused(call, refused),
        EditError::Argument { argument, expected } => SdkError::argument(call.path, argument, &expected).into(),
        EditError::NotFound(id) => {
            let entity = EntityRef { model_id: model.to_owned(), express_id: id };
            entity_missing(call, &entity)
        }
        EditError::TooLarge => call.limit(&MODEL_SIZE, MAX_MODEL_MIB, MAX_MODEL_MIB),
        EditError::NoNumber => call.limit(&NUMBERS, u32::MAX as usize, u32::MAX as usize),
    }
}
