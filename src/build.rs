//! Builds the crate again when a migration changes, since they are embedded, and gives the rules of the game a mark by which what they
//! computed is known: another `src/domain`, another mark.

use std::fs;
use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=migrations");
    println!("cargo:rerun-if-changed=src/domain");
    let mut mark = 0xcbf2_9ce4_8422_2325;
    mix(Path::new("src/domain"), &mut mark)?;
    println!("cargo:rustc-env=AMICI_DOMAIN={mark:016x}");
    Ok(())
}

/// Mixes in every file below a folder (FNV-1a), in the order of their names.
fn mix(folder: &Path, mark: &mut u64) -> io::Result<()> {
    let mut paths: Vec<_> = fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path())).collect::<Result<_, _>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            mix(&path, mark)?;
        } else {
            for byte in fs::read(&path)? {
                *mark = (*mark ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    Ok(())
}
