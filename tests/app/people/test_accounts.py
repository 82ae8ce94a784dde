"""Accounts: passwords, logins that expire, tries that are counted."""

import sqlite3
import stat

import pytest
from argon2 import PasswordHasher

from azulejar.app.http.errors import Conflict, InvalidRequest, TooManyRequests, Unauthorized
from azulejar.app.people import accounts as module
from azulejar.app.people.accounts import LOCKED, LOGIN, MOST_TRIES, Accounts
from azulejar.app.people.roles import Role

GOOD = "azul e branco"


class Clock:
    def __init__(self):
        self.time = 1e9

    def __call__(self):
        return self.time


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def accounts(tmp_path, clock, cheap_passwords):
    """Accounts of a manager, Ana, and of Rui, who looks."""
    made = Accounts(tmp_path, clock)
    made.add("Ana", Role.MANAGE, GOOD)
    made.add("Rui", Role.LOOK, GOOD)
    yield made
    made.close()


def _what(accounts):
    return [(each.who, each.what, each.about) for each in accounts.history()]


def test_nobody_has_to_log_in_until_there_is_an_account(tmp_path, cheap_passwords):
    empty = Accounts(tmp_path)
    assert (empty.exist, empty.people(), list(tmp_path.iterdir())) == (False, [], [])
    assert empty.person_of("x") is None
    with pytest.raises(Unauthorized):
        empty.log_in("Ana", GOOD)
    empty.add("Ana", Role.MANAGE, GOOD)
    assert empty.exist
    empty.close()
    again = Accounts(tmp_path)
    assert again.exist
    again.close()


def test_no_password_and_no_secret_of_a_login_is_stored(accounts, tmp_path):
    secret = accounts.log_in("Ana", GOOD)
    path = tmp_path / module.NAME
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with sqlite3.connect(path) as db:
        text = "\n".join(db.iterdump())
    assert "$argon2id$" in text
    assert GOOD not in text
    assert secret not in text


def test_a_login_expires(accounts, clock):
    secret = accounts.log_in(" ANA ", GOOD)
    assert accounts.person_of(secret) == module.Person("Ana", Role.MANAGE)
    clock.time += LOGIN - 1
    assert accounts.person_of(secret)
    clock.time += 2
    assert accounts.person_of(secret) is None
    assert accounts.person_of("") is None
    other = accounts.log_in("Ana", GOOD)
    accounts.log_out(other)
    assert accounts.person_of(other) is None


@pytest.mark.parametrize("name", ["Rui", "Nobody of that name"])
def test_a_name_is_locked_after_a_few_tries_whether_it_has_an_account_or_not(accounts, clock, name):
    said = set()
    for _ in range(MOST_TRIES):
        with pytest.raises(Unauthorized) as wrong:
            accounts.log_in(name, "not the password")
        said.add(str(wrong.value))
    assert len(said) == 1
    with pytest.raises(TooManyRequests):
        accounts.log_in(name.upper(), GOOD)
    assert accounts.log_in("Ana", GOOD)
    clock.time += LOCKED + 1
    if name == "Rui":
        assert accounts.log_in(name, GOOD)
    else:
        with pytest.raises(Unauthorized):
            accounts.log_in(name, GOOD)


def test_an_unknown_name_costs_as_much_as_a_wrong_password(accounts, monkeypatch):
    checked = []

    class Watched(PasswordHasher):
        def verify(self, hashed, password):
            checked.append(hashed[:9])
            return super().verify(hashed, password)

    monkeypatch.setattr(module, "_hasher", Watched(1, 8, 1))
    for name in ("Rui", "Nobody"):
        with pytest.raises(Unauthorized):
            accounts.log_in(name, "not the password")
    assert checked == ["$argon2id"] * 2
    assert _what(accounts)[:2] == [("", "login-unknown", ""), ("", "login-failed", "Rui")]


def test_a_new_password_or_role_counts_at_once(accounts):
    rui = accounts.people()[1]
    secret = accounts.log_in("Rui", GOOD)
    accounts.change(rui.person, "Ana", role=Role.WORK)
    assert accounts.person_of(secret).role is Role.WORK
    accounts.change(rui.person, "Ana", password="another password")
    assert accounts.person_of(secret) is None
    with pytest.raises(Unauthorized):
        accounts.log_in("Rui", GOOD)
    new = accounts.change_own_password("Rui", "another password", "a third password")
    assert accounts.person_of(new).name == "Rui"
    accounts.remove(rui.person, "Ana")
    assert accounts.person_of(new) is None
    assert ("Ana", "account-role", "Rui: work") in _what(accounts)
    assert ("Ana", "account-removed", "Rui") in _what(accounts)
    assert ("Rui", "login", "") in _what(accounts)


def test_a_manager_is_always_left(accounts):
    ana = accounts.people()[0]
    for act in (
        lambda: accounts.remove(ana.person, "Ana"),
        lambda: accounts.change(ana.person, "Ana", role=Role.WORK),
    ):
        with pytest.raises(Conflict, match="only manager"):
            act()
    accounts.put_manager("rui", "a password of Rui")
    assert accounts.log_in("Rui", "a password of Rui")
    accounts.remove(ana.person, "Rui")
    assert [(each.name, each.role) for each in accounts.people()] == [("Rui", "manage")]


def test_a_taken_name_and_a_short_password_are_refused(accounts):
    with pytest.raises(Conflict, match="already"):
        accounts.add("ána".replace("á", "a").upper(), Role.LOOK, GOOD)
    with pytest.raises(InvalidRequest, match="fewer than 10"):
        accounts.add("Eva", Role.LOOK, "short")
    assert len(accounts.people()) == 2
