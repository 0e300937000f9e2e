//! The login of one account: its refresh token, which is kept, and the access token of the hour, which is not.
//!
//! May read and replace the one secret, and ask the provider. The daemon and a command may do so at once: whoever refreshes holds a lock
//! on a file, and reads what is kept only then, so that no new refresh token is lost.
//! What will surprise you: a refresh that has begun goes on where nobody waits for it any more, since it may have used up the token that is
//! kept; [`Grant::settle`] waits for its end.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::Mutex;

use super::client::{Client, Tokens};
use super::error::OAuthError;
use crate::io::keeper::{Keeper, make_private};
use crate::io::secret::SecretError;

/// So long before its end a token is good no more: a login has to be through with it.
const MARGIN: TimeDelta = TimeDelta::minutes(5);

/// The login of one account at one provider. Clones share the token of the hour.
#[derive(Debug, Clone)]
pub struct Grant {
    client: Arc<Client>,
    account: String,
    keeper: Keeper,
    folder: PathBuf,
    memory: Arc<Mutex<Memory>>,
}

/// What is held while the program runs.
#[derive(Debug, Default)]
struct Memory {
    access: Option<Access>,
    unkept: Option<Unkept>,
}

#[derive(Debug)]
struct Access {
    token: SecretString,
    until: DateTime<Utc>,
    /// It was handed out before.
    served: bool,
}

/// A refresh token that is not kept yet.
#[derive(Debug)]
struct Unkept {
    token: SecretString,
    /// The kept one that it comes from; where another is kept by now, a login came in between, and that one counts.
    instead_of: Option<SecretString>,
}

impl Grant {
    /// The login of an account; what is kept in a file lies in this folder, and the lock does in any case.
    pub fn new(client: Client, account: String, keeper: Keeper, folder: &Path) -> Grant {
        let memory = Arc::default();
        Grant { client: Arc::new(client), account, keeper, folder: folder.to_owned(), memory }
    }

    /// Who gives the tokens.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Whose login it is.
    pub fn account(&self) -> &str {
        &self.account
    }

    /// The same, with its files in another folder.
    pub fn in_folder(self, folder: &Path) -> Grant {
        Grant { folder: folder.to_owned(), ..self }
    }

    /// Whether both are one login, so that one of them serves for both.
    pub fn is_same(&self, other: &Grant) -> bool {
        self.entry() == other.entry()
            && self.keeper == other.keeper
            && self.client.token == other.client.token
            && self.client.id == other.client.id
    }

    /// The same, for tokens that are good for what those of another are, too.
    pub fn with_scopes_of(self, other: &Grant) -> Grant {
        let mut client = Client::clone(&self.client);
        let more = other.client.scopes.iter().filter(|scope| !self.client.scopes.contains(scope));
        client.scopes.extend(more.cloned());
        Grant { client: Arc::new(client), ..self }
    }

    /// Where the refresh token is kept, in words.
    pub fn place(&self) -> String {
        match self.keeper {
            Keeper::File => format!("{} (mode 0600)", self.file().display()),
            Keeper::Pass => format!("the password store, as amici/{}", self.entry()),
            Keeper::SecretTool => format!("the keyring, as {}", self.entry()),
        }
    }

    /// An access token that a login can be made with now.
    ///
    /// # Errors
    /// [`OAuthError`] where there was no login, the provider takes it no more or cannot be asked, or what it gave anew cannot be kept.
    pub async fn fresh(&self, now: DateTime<Utc>) -> Result<SecretString, OAuthError> {
        let mut memory = Arc::clone(&self.memory).lock_owned().await;
        if let Some(access) = memory.access.as_mut().filter(|access| now < access.until) {
            access.served = true;
            return Ok(access.token.clone());
        }
        let grant = self.clone();
        let refresh = async move { grant.refreshed(&mut memory, now).await };
        // a task of its own: whoever waits may give up between the answer and the keeping
        tokio::spawn(refresh).await.map_err(|_| self.unkept("the work broke off"))?
    }

    /// A server refused the token. The next one is another; whether that is worth a try at once: this one had served before.
    pub async fn forget(&self) -> bool {
        self.memory.lock().await.access.take().is_some_and(|access| access.served)
    }

    /// Waits until a refresh that has begun is through.
    pub async fn settle(&self) {
        drop(self.memory.lock().await);
    }

    /// What a login gave, held in memory: it serves at once and is not kept yet.
    ///
    /// # Errors
    /// [`OAuthError::NoRefreshToken`].
    pub async fn hold(&self, tokens: Tokens, now: DateTime<Utc>) -> Result<(), OAuthError> {
        let none = || OAuthError::NoRefreshToken { provider: self.client.provider.clone() };
        let token = tokens.refresh.clone().ok_or_else(none)?;
        let mut memory = self.memory.lock().await;
        memory.unkept = Some(Unkept { token, instead_of: None });
        memory.access = Some(access(&tokens, now));
        Ok(())
    }

    /// Keeps what [`Grant::hold`] holds, in place of what was kept before.
    ///
    /// # Errors
    /// [`OAuthError::Unkept`] or [`OAuthError::Lock`].
    pub async fn keep(&self) -> Result<(), OAuthError> {
        let mut memory = self.memory.lock().await;
        let _lock = self.lock().await?;
        self.keep_rest(&mut memory).await
    }

    async fn refreshed(&self, memory: &mut Memory, now: DateTime<Utc>) -> Result<SecretString, OAuthError> {
        let _lock = self.lock().await?;
        self.keep_rest(memory).await?;
        let kept = self.kept().await?;
        let tokens = self.client.refresh(&kept, now).await?;
        if let Some(token) = tokens.refresh.clone().filter(|token| token.expose_secret() != kept.expose_secret()) {
            memory.unkept = Some(Unkept { token, instead_of: Some(kept) });
            self.keep_rest(memory).await?;
        }
        Ok(memory.access.insert(access(&tokens, now)).token.clone())
    }

    /// The refresh token that is kept.
    async fn kept(&self) -> Result<SecretString, OAuthError> {
        let kept = self.keeper.place(&self.entry(), &self.file()).read().await;
        kept.map_err(|error| match error {
            SecretError::Missing { path } => self.no_login(format!("{} is not there", path.display())),
            SecretError::Failed { program, status } => {
                self.no_login(format!("{program} does not give what was kept ({status})"))
            }
            other => other.into(),
        })
    }

    /// Keeps what is not kept yet. The lock is held.
    async fn keep_rest(&self, memory: &mut Memory) -> Result<(), OAuthError> {
        let Some(Unkept { token, instead_of }) = &memory.unkept else { return Ok(()) };
        let is_overtaken = match instead_of {
            Some(before) => self.kept().await.is_ok_and(|kept| kept.expose_secret() != before.expose_secret()),
            None => false,
        };
        if !is_overtaken {
            let (entry, label) =
                (self.entry(), format!("amici, login of {} at {}", self.account, self.client.provider));
            let kept = self.keeper.keep((&entry, &label), &self.file(), token).await;
            kept.map_err(|error| self.unkept(&error.to_string()))?;
        }
        memory.unkept = None;
        Ok(())
    }

    /// Keeps other processes away until it is dropped.
    async fn lock(&self) -> Result<File, OAuthError> {
        let path = self.folder.join(format!("{}.lock", self.entry()));
        let taken = {
            let path = path.clone();
            tokio::task::spawn_blocking(move || {
                make_private(path.parent().unwrap_or(Path::new("")))?;
                let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&path)?;
                file.lock().map(|()| file)
            })
        };
        let taken = taken.await.unwrap_or_else(|_| Err(std::io::Error::other("the work broke off")));
        taken.map_err(|why| OAuthError::Lock { path, why })
    }

    fn file(&self) -> PathBuf {
        self.folder.join(self.entry())
    }

    /// The name of what is kept, fit for a file.
    fn entry(&self) -> String {
        let plain = |c: char| if c.is_alphanumeric() || "@._+-".contains(c) { c } else { '_' };
        format!("login-{}-{}", self.client.token.host(), self.account).chars().map(plain).collect()
    }

    fn no_login(&self, why: String) -> OAuthError {
        OAuthError::NoLogin { account: self.account.clone(), provider: self.client.provider.clone(), why }
    }

    fn unkept(&self, why: &str) -> OAuthError {
        OAuthError::Unkept { account: self.account.clone(), why: why.to_owned() }
    }
}

/// A token, and until when it can be used; one of which the provider says no end serves once.
fn access(tokens: &Tokens, now: DateTime<Utc>) -> Access {
    let lifetime = tokens.until.map_or(TimeDelta::zero(), |until| until - now);
    Access { token: tokens.access.clone(), until: now + lifetime - MARGIN.min(lifetime / 2), served: false }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};
    use std::os::unix::fs::PermissionsExt;
    use std::sync::Mutex as StdMutex;

    use futures_util::FutureExt;

    use super::*;
    use crate::io::Class;
    use crate::io::oauth::Endpoint;

    /// A provider that gives out tokens for the one refresh token that is good, and each time another for it.
    #[derive(Clone, Default)]
    struct Provider {
        given: Arc<StdMutex<Vec<u32>>>,
        lifetime: u32,
    }

    impl Provider {
        fn serve(&self) -> Endpoint {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let address = listener.local_addr().unwrap();
            let provider = self.clone();
            std::thread::spawn(move || listener.incoming().flatten().for_each(|stream| provider.answer(stream)));
            Endpoint::parse(&format!("http://{address}/token")).unwrap()
        }

        fn answer(&self, mut stream: TcpStream) {
            let mut asked = String::new();
            let mut part = [0; 4096];
            while !asked.contains("refresh_token=r") || !asked.contains("client_id=") {
                let length = stream.read(&mut part).unwrap();
                asked.push_str(std::str::from_utf8(&part[..length]).unwrap());
            }
            let mut given = self.given.lock().unwrap();
            let number = asked.split("refresh_token=r").nth(1).unwrap();
            let number: u32 = number.split('&').next().unwrap().parse().unwrap();
            let is_good = number == given.len() as u32;
            let (status, body) = if is_good {
                given.push(number);
                let tokens = format!("\"access_token\":\"a{number}\",\"refresh_token\":\"r{}\"", number + 1);
                ("200 OK", format!("{{{tokens},\"token_type\":\"Bearer\",\"expires_in\":{}}}", self.lifetime))
            } else {
                ("400 Bad Request", "{\"error\":\"invalid_grant\"}".to_owned())
            };
            let head = format!("HTTP/1.1 {status}\r\nContent-Type: application/json\r\nConnection: close\r\n");
            stream.write_all(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes()).unwrap();
        }
    }

    fn grant(token: Endpoint, folder: &Path) -> Grant {
        let client = Client {
            provider: "Example".to_owned(),
            id: "id".to_owned(),
            secret: None,
            token,
            device: None,
            authorization: None,
            scopes: Vec::new(),
            more: Vec::new(),
            here: "127.0.0.1".to_owned(),
        };
        Grant::new(client, "nora@example.org".to_owned(), Keeper::File, folder)
    }

    /// A provider, and an account whose login is kept.
    async fn logged_in(lifetime: u32) -> (Provider, Grant, tempfile::TempDir) {
        let (provider, folder) = (Provider { lifetime, ..Provider::default() }, tempfile::tempdir().unwrap());
        let grant = grant(provider.serve(), folder.path());
        grant.hold(tokens("r0"), at(0)).await.unwrap();
        grant.keep().await.unwrap();
        grant.forget().await;
        (provider, grant, folder)
    }

    fn tokens(refresh: &str) -> Tokens {
        Tokens { access: "first".into(), until: None, refresh: Some(refresh.into()) }
    }

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + second, 0).unwrap()
    }

    async fn token(grant: &Grant, second: i64) -> String {
        grant.fresh(at(second)).await.unwrap().expose_secret().to_owned()
    }

    #[tokio::test]
    async fn a_token_serves_until_shortly_before_its_end_and_what_is_new_is_kept() {
        let (_, grant, folder) = logged_in(3600).await;
        assert_eq!(token(&grant, 0).await, "a0");
        assert_eq!(token(&grant, 3299).await, "a0");
        assert_eq!(token(&grant, 3300).await, "a1");
        let file = grant.file();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "r2\n");
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(file.starts_with(folder.path()));
        // one that a server refused is not used again, and is worth another try only if it had served
        assert!(!grant.forget().await);
        assert_eq!(token(&grant, 3301).await, "a2");
        token(&grant, 3302).await;
        assert!(grant.forget().await);
    }

    #[tokio::test]
    async fn those_who_refresh_at_once_take_turns() {
        let (provider, grant, folder) = logged_in(0).await;
        // each has a memory of its own, as two processes have
        let other = || self::grant(grant.client.token.clone(), folder.path());
        let (one, two, three) = (other(), other(), other());
        let (a, b, c) = tokio::join!(one.fresh(at(0)), two.fresh(at(0)), three.fresh(at(0)));
        assert!(a.is_ok() && b.is_ok() && c.is_ok());
        assert_eq!(*provider.given.lock().unwrap(), [0, 1, 2]);
    }

    #[tokio::test]
    async fn a_new_token_that_cannot_be_kept_is_held_and_kept_before_anything_else() {
        let (provider, grant, folder) = logged_in(0).await;
        // nothing can be put where the new file is prepared
        let blocked = folder.path().join(format!("{}.new", grant.entry()));
        std::fs::create_dir(&blocked).unwrap();
        let error = grant.fresh(at(0)).await.unwrap_err();
        assert!(matches!(&error, OAuthError::Unkept { .. }), "{error}");
        assert!(grant.fresh(at(1)).await.is_err());
        assert_eq!(*provider.given.lock().unwrap(), [0], "the provider is not asked with what it may have taken back");
        std::fs::remove_dir(&blocked).unwrap();
        assert_eq!(token(&grant, 2).await, "a1");
    }

    #[tokio::test]
    async fn who_gives_up_waiting_does_not_lose_the_new_token() {
        let (provider, grant, _folder) = logged_in(3600).await;
        // polled once and dropped: a time limit of zero can still leave it a millisecond, in which it ends
        assert!(grant.fresh(at(0)).now_or_never().is_none());
        grant.settle().await;
        assert_eq!(*provider.given.lock().unwrap(), [0]);
        assert_eq!(token(&grant, 0).await, "a0");
        assert_eq!(std::fs::read_to_string(grant.file()).unwrap(), "r1\n");
    }

    #[tokio::test]
    async fn no_login_a_refused_one_and_a_silent_provider_are_told_apart() {
        let (provider, grant, folder) = logged_in(3600).await;
        provider.given.lock().unwrap().push(0);
        let error = grant.fresh(at(0)).await.unwrap_err();
        assert!(matches!(&error, OAuthError::Refused { .. }) && error.is_refusal(), "{error}");
        assert_eq!(error.class(), Class::Stop);

        let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let silent = self::grant(Endpoint::parse(&format!("http://{nobody}/")).unwrap(), folder.path());
        silent.hold(tokens("r0"), at(0)).await.unwrap();
        silent.keep().await.unwrap();
        silent.forget().await;
        let error = silent.fresh(at(0)).await.unwrap_err();
        assert_eq!((error.class(), error.is_refusal()), (Class::Retry, false), "{error}");

        std::fs::remove_file(grant.file()).unwrap();
        let error = grant.fresh(at(0)).await.unwrap_err().to_string();
        assert!(error.starts_with("there is no login of nora@example.org at Example: "), "{error}");
        assert!(error.ends_with("help: `amici login` makes one"), "{error}");
    }

    #[tokio::test]
    async fn a_login_without_a_refresh_token_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let grant = grant(Endpoint::parse("http://127.0.0.1:1/").unwrap(), folder.path());
        let held = grant.hold(Tokens { refresh: None, ..tokens("") }, at(0)).await;
        assert!(matches!(held, Err(OAuthError::NoRefreshToken { .. })));
    }
}
