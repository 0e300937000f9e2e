//! The fields of a form that a page sent.

use axum::Form;
use axum::extract::{FromRequest, Request};
use axum::response::{IntoResponse, Response};

use super::sessions::Guest;

/// The fields of a form.
#[derive(Debug, Clone, Default)]
pub(super) struct Filled(Vec<(String, String)>);

impl<S: Send + Sync> FromRequest<S> for Filled {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Filled, Response> {
        let form = Form::<Vec<(String, String)>>::from_request(request, state).await;
        form.map(|Form(fields)| Filled(fields)).map_err(IntoResponse::into_response)
    }
}

impl Filled {
    /// The text of a field that is filled in.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        let mut of_name = self.0.iter().filter(|(key, _)| key == name).map(|(_, value)| value.trim());
        of_name.find(|value| !value.is_empty())
    }

    /// Whether its token is that of the session.
    pub(super) fn is_of(&self, guest: &Guest) -> bool {
        self.text("token") == Some(&guest.token)
    }

    /// All but its token, for the same form once more.
    pub(super) fn without_token(&self) -> Vec<&(String, String)> {
        self.0.iter().filter(|(name, _)| name != "token").collect()
    }

    /// A form with these fields.
    #[cfg(test)]
    pub(super) fn of(fields: &[(&str, &str)]) -> Filled {
        Filled(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }
}
