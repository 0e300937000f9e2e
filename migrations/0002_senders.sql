-- Which domains have vouched for the mails of an opponent's address: the policy `pinned` misses them later.

CREATE TABLE sender_domains (
    address   TEXT NOT NULL,                                               -- of an opponent, in lower case
    domain    TEXT NOT NULL,                                               -- of the DKIM signature or the DMARC pass, in lower case
    first_at  TEXT NOT NULL,                                               -- when our server took the first such mail ...
    last_at   TEXT NOT NULL,                                               -- ... and the last
    mails     INTEGER NOT NULL CONSTRAINT sender_domain_mails CHECK (mails >= 1),
    PRIMARY KEY (address, domain)
) STRICT;
