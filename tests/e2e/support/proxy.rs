//! A TCP proxy that breaks connections on purpose: cut after byte k, swallow one direction, refuse.
//!
//! Works on the bytes as they pass, under TLS too. It listens on the address of its target, so that the
//! servers' certificate stays valid for a client that connects through it. One thread per direction.

use socket2::SockRef;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::thread::{self, JoinHandle};

/// Which way bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// From the program under test.
    ToServer,
    /// To the program under test.
    ToClient,
}

/// What happens to each connection; bytes are counted from the start of that connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// All bytes pass.
    None,
    /// Once so many bytes have passed this way, both ends are closed.
    CutAfter(Direction, u64),
    /// Once so many bytes have passed this way, further ones vanish; the connection stays open.
    BlackHoleAfter(Direction, u64),
}

struct State {
    fault: Fault,
    to_server: u64,
    to_client: u64,
    connections: usize,
    open: Vec<Weak<Connection>>,
}

struct Connection {
    client: TcpStream,
    server: TcpStream,
}

impl Connection {
    fn cut(&self) {
        // fails when the other end was first
        let _ = self.client.shutdown(Shutdown::Both);
        let _ = self.server.shutdown(Shutdown::Both);
    }
}

/// A running proxy; dropping it closes all connections.
pub(crate) struct Proxy {
    address: SocketAddr,
    target: SocketAddr,
    state: Arc<Mutex<State>>,
    acceptor: Option<(Arc<TcpListener>, JoinHandle<()>)>,
}

impl Proxy {
    /// A proxy to `target` on the same address and another port, without a fault yet.
    pub(crate) fn to(target: SocketAddr) -> Self {
        let listener =
            (21_000..32_000).find_map(|port| TcpListener::bind((target.ip(), port)).ok()).expect("a free port");
        let address = listener.local_addr().expect("a bound socket has an address");
        let state = State { fault: Fault::None, to_server: 0, to_client: 0, connections: 0, open: Vec::new() };
        let state = Arc::new(Mutex::new(state));
        let mut proxy = Self { address, target, state, acceptor: None };
        proxy.listen(listener);
        proxy
    }

    /// Where clients connect; the host is the target's own.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Applies a fault from now on, to open connections too, and starts `passed` anew.
    pub(crate) fn set(&self, fault: Fault) {
        let mut state = lock(&self.state);
        state.fault = fault;
        state.to_server = 0;
        state.to_client = 0;
        state.connections = 0;
    }

    /// The bytes that have passed since the last `set`, over all connections: the k to choose from for a cut.
    pub(crate) fn passed(&self, direction: Direction) -> u64 {
        let state = lock(&self.state);
        match direction {
            Direction::ToServer => state.to_server,
            Direction::ToClient => state.to_client,
        }
    }

    /// The connections that were taken since the last `set`.
    pub(crate) fn connections(&self) -> usize {
        lock(&self.state).connections
    }

    /// Closes all open connections at once; new ones are taken.
    pub(crate) fn cut(&self) {
        for connection in lock(&self.state).open.drain(..) {
            if let Some(connection) = connection.upgrade() {
                connection.cut();
            }
        }
    }

    /// Closes all open connections and refuses new ones, until `accept`.
    pub(crate) fn refuse(&mut self) {
        if let Some((listener, acceptor)) = self.acceptor.take() {
            // closing is not enough: a server being started by another thread may still hold a copy of the
            // socket between fork and exec. Shutting down refuses at once, and wakes the acceptor
            let down = SockRef::from(&*listener).shutdown(Shutdown::Both);
            down.expect("a listening socket can be shut down");
            acceptor.join().expect("the acceptor does not panic");
        }
        self.cut();
    }

    /// Takes connections again after `refuse`, on the same port.
    pub(crate) fn accept(&mut self) {
        if self.acceptor.is_none() {
            self.listen(TcpListener::bind(self.address).expect("the port is still free"));
        }
    }

    fn listen(&mut self, listener: TcpListener) {
        let listener = Arc::new(listener);
        let (target, state, accepting) = (self.target, Arc::clone(&self.state), Arc::clone(&listener));
        let acceptor = thread::spawn(move || {
            while let Ok((client, _)) = accepting.accept() {
                // a target that is down looks to the client like a connection closed at once
                if let Ok(server) = TcpStream::connect(target) {
                    join(Connection { client, server }, &state);
                }
            }
        });
        self.acceptor = Some((listener, acceptor));
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.refuse();
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().expect("no thread panics while it holds this lock")
}

fn join(connection: Connection, state: &Arc<Mutex<State>>) {
    let connection = Arc::new(connection);
    {
        let mut state = lock(state);
        state.open.retain(|open| open.strong_count() > 0);
        state.open.push(Arc::downgrade(&connection));
        state.connections += 1;
    }
    for direction in [Direction::ToServer, Direction::ToClient] {
        let (connection, state) = (Arc::clone(&connection), Arc::clone(state));
        thread::spawn(move || pump(direction, &connection, &state));
    }
}

/// Moves bytes one way until either end closes, and then passes the end on, or until the fault says so.
fn pump(direction: Direction, connection: &Connection, state: &Mutex<State>) {
    let (mut from, mut to) = match direction {
        Direction::ToServer => (&connection.client, &connection.server),
        Direction::ToClient => (&connection.server, &connection.client),
    };
    let mut buffer = [0; 16 * 1024];
    let mut passed = 0;
    loop {
        if cuts(lock(state).fault, direction, passed) {
            return connection.cut();
        }
        let Ok(count @ 1..) = from.read(&mut buffer) else {
            let _ = to.shutdown(Shutdown::Write);
            return;
        };
        // the fault may have been set while we waited for these bytes
        let room = {
            let mut state = lock(state);
            let room = room(state.fault, direction, passed).min(count as u64);
            match direction {
                Direction::ToServer => state.to_server += room,
                Direction::ToClient => state.to_client += room,
            }
            room
        };
        passed += room;
        let bytes = usize::try_from(room).expect("no more than the buffer");
        if to.write_all(&buffer[..bytes]).is_err() {
            let _ = from.shutdown(Shutdown::Read);
            return;
        }
    }
}

fn cuts(fault: Fault, direction: Direction, passed: u64) -> bool {
    matches!(fault, Fault::CutAfter(way, limit) if way == direction && passed >= limit)
}

/// How many more bytes may pass this way.
fn room(fault: Fault, direction: Direction, passed: u64) -> u64 {
    match fault {
        Fault::CutAfter(way, limit) | Fault::BlackHoleAfter(way, limit) if way == direction => {
            limit.saturating_sub(passed)
        }
        Fault::None | Fault::CutAfter(..) | Fault::BlackHoleAfter(..) => u64::MAX,
    }
}
