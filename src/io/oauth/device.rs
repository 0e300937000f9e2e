//! A login by a code that the person types on a page of the provider, on any machine that has a browser (RFC 8628).

use std::time::Duration;

use chrono::{DateTime, Utc};
use oauth2::{DeviceAuthorizationUrl, StandardDeviceAuthorizationResponse};

use super::client::{Client, Tokens, tokens};
use super::error::OAuthError;
use crate::io::http;

/// A login that has begun: what the person has to be shown.
#[derive(Debug)]
pub struct Device(StandardDeviceAuthorizationResponse);

impl Device {
    /// The page to open.
    pub fn page(&self) -> &str {
        self.0.verification_uri()
    }

    /// The code to type there.
    pub fn code(&self) -> &str {
        self.0.user_code().secret()
    }

    /// How long it is good.
    pub fn lasts(&self) -> Duration {
        self.0.expires_in()
    }
}

impl Client {
    /// Begins a login by a code.
    ///
    /// # Errors
    /// [`OAuthError`] where the provider has none, cannot be asked or does not let us, or where the client's secret cannot be had.
    pub async fn device(&self) -> Result<Device, OAuthError> {
        let Some(endpoint) = &self.device else {
            let (provider, way) = (self.provider.clone(), "a code");
            let help = "log in with the browser of this machine: `amici login --browser`";
            return Err(OAuthError::NoSuchWay { provider, way, help });
        };
        let basic =
            self.basic().await?.set_device_authorization_url(DeviceAuthorizationUrl::from_url(endpoint.0.clone()));
        let begun = basic.exchange_device_code().add_scopes(self.scopes()).request_async(&http::send).await;
        begun.map(Device).map_err(|error| self.failure(error, &[]))
    }

    /// Asks, at the pace that the provider sets, until the person has logged in, said no, or the code is good no more. A provider that does
    /// not answer is asked again until then.
    ///
    /// # Errors
    /// As [`Client::device`]; [`OAuthError::Denied`] and [`OAuthError::TooLate`] besides.
    pub async fn logged_in(&self, device: &Device, now: DateTime<Utc>) -> Result<Tokens, OAuthError> {
        let basic = self.basic().await?;
        let asked = basic.exchange_device_access_token(&device.0).request_async(&http::send, tokio::time::sleep, None);
        asked.await.map(|answer| tokens(&answer, now)).map_err(|error| self.failure(error, &[]))
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    use secrecy::ExposeSecret;
    use tokio::time::Instant;

    use super::*;
    use crate::io::oauth::Endpoint;

    /// A provider that answers each question with the next of these, and one who asks it.
    fn provider(answers: &'static [(u16, &'static str)]) -> Client {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            for ((status, body), stream) in answers.iter().zip(listener.incoming()) {
                let mut stream = stream.unwrap();
                let mut asked = String::new();
                let mut part = [0; 4096];
                while !asked.contains("client_id=abc") {
                    let length = stream.read(&mut part).unwrap();
                    asked.push_str(std::str::from_utf8(&part[..length]).unwrap());
                }
                let head = format!("HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nConnection: close\r\n");
                stream.write_all(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes()).unwrap();
            }
        });
        let endpoint = Endpoint::parse(&format!("http://{address}/")).unwrap();
        Client {
            provider: "Example".to_owned(),
            id: "abc".to_owned(),
            secret: None,
            token: endpoint.clone(),
            device: Some(endpoint),
            authorization: None,
            scopes: vec!["mail".to_owned()],
            more: Vec::new(),
            here: "127.0.0.1".to_owned(),
        }
    }

    /// The example of RFC 8628 section 3.2.
    const BEGUN: (u16, &str) = (
        200,
        "{\"device_code\":\"GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS\",\"user_code\":\"WDJB-MJHT\",\
         \"verification_uri\":\"https://example.com/device\",\"expires_in\":1800,\"interval\":5}",
    );
    const TOKENS: (u16, &str) =
        (200, "{\"access_token\":\"a\",\"refresh_token\":\"r\",\"token_type\":\"bearer\",\"expires_in\":3600}");
    const PENDING: (u16, &str) = (400, "{\"error\":\"authorization_pending\"}");

    #[tokio::test(start_paused = true)]
    async fn the_pace_is_the_providers_and_grows_where_it_says_so() {
        let client = provider(&[BEGUN, PENDING, (400, "{\"error\":\"slow_down\"}"), PENDING, (503, ""), TOKENS]);
        let device = client.device().await.unwrap();
        assert_eq!((device.page(), device.code()), ("https://example.com/device", "WDJB-MJHT"));
        assert_eq!(device.lasts().as_secs(), 1800);
        let (start, now) = (Instant::now(), DateTime::UNIX_EPOCH);
        let tokens = client.logged_in(&device, now).await.unwrap();
        // 5 s, then 10 s and 10 s more, and after an answer that was none as long again at most
        assert_eq!(start.elapsed().as_secs(), 5 + 10 + 10 + 10);
        assert_eq!(tokens.refresh.unwrap().expose_secret(), "r");
        assert_eq!(tokens.until, Some(now + chrono::TimeDelta::hours(1)));
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_no_answer_of_oauth_is_told_without_its_words() {
        let client =
            provider(&[(200, "<html>canary"), (400, "canary"), BEGUN, PENDING, (200, "{\"token\":\"canary\"}")]);
        for _ in 0..2 {
            let error = client.device().await.unwrap_err();
            assert_eq!(error.to_string(), "Example gave an answer that makes no sense in OAuth2");
        }
        let device = client.device().await.unwrap();
        let error = client.logged_in(&device, DateTime::UNIX_EPOCH).await.unwrap_err();
        assert!(matches!(error, OAuthError::Garbled { .. }), "{error:?}");
        assert!(!format!("{error:?}").contains("canary"));
    }
}
