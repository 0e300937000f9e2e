//! Tokens of OAuth2 that the program gets itself, from the provider whom the configuration names (RFC 6749).
//!
//! A person logs in once, by a code that he types elsewhere (`device`, RFC 8628) or in his browser (`loopback`, RFC 8252 and 7636); what
//! comes of it, the refresh token, is kept by `grant`, which makes access tokens of it: those are what mail servers take.
//! The only place that knows the library `oauth2`; it asks over `io::http`.
//! Not covered: the registration of the client at the provider, and taking a login back: both are done on the provider's pages.
//! What will surprise you: each use of a refresh token may give a new one that alone is good from then on.

mod client;
mod device;
mod error;
mod grant;
mod loopback;

pub use client::{Client, Endpoint, Tokens};
pub use device::Device;
pub use error::OAuthError;
pub use grant::Grant;
pub use loopback::{Browser, Random};
