"""The home folder: one holder at a time, private secrets, remembered ports."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest

from deployments.home import Home, StackError, is_free


@pytest.mark.requirement("run.home-in-use")
def test_a_home_has_one_holder_and_a_lock_left_behind_is_no_lock(tmp_path: Path) -> None:
    first = Home(tmp_path)
    first.lock()
    with pytest.raises(StackError, match=rf"process {os.getpid()}\b"):
        Home(tmp_path).lock()
    first.release()
    assert (tmp_path / "run" / "lock").exists()
    Home(tmp_path).lock()


@pytest.mark.requirement("run.home-in-use")
def test_a_home_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StackError, match="choose another folder with --home"):
        Home(tmp_path / "file" / "home").lock()


@pytest.mark.requirement("run.full-disk")
def test_a_disk_without_room_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deployments.home.LEAST_FREE_BYTES", 1 << 62)
    with pytest.raises(StackError, match="free disk space"):
        Home(tmp_path).lock()


@pytest.mark.requirement("run.private-addresses")
def test_secrets_stay_the_same_and_are_the_owners_only(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.lock()
    secret = home.secret("prefect")
    assert secret == home.secret("prefect") != home.secret("other")
    assert stat.S_IMODE((tmp_path / "secrets.json").stat().st_mode) == 0o600


@pytest.mark.requirement("run.private-addresses")
def test_a_home_is_its_owners_only_also_where_it_was_open_before(tmp_path: Path) -> None:
    (tmp_path / "home" / "logs").mkdir(parents=True, mode=0o755)
    home = Home(tmp_path / "home")
    home.lock()
    for folder in (home.path, home.run, home.logs):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.requirement("run.home-in-use")
def test_a_refused_start_leaves_the_modes_of_a_home_in_use_alone(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.lock()
    home.path.chmod(0o701)  # as a Postgres of another user needs it
    with pytest.raises(StackError, match="another stack"):
        Home(tmp_path / "home").lock()
    assert stat.S_IMODE(home.path.stat().st_mode) == 0o701


@pytest.mark.requirement("run.side-by-side")
def test_a_port_is_remembered_while_it_is_free(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.lock()
    port = home.port("prefect")
    assert home.port("prefect") == port
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()
        assert not is_free("127.0.0.1", port)
        assert home.port("prefect") != port


@pytest.mark.requirement("run.home-in-use")
def test_a_home_too_deep_for_a_socket_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StackError, match="choose a shorter one with --home"):
        Home(tmp_path / ("deep" * 30)).lock()


@pytest.mark.requirement("run.side-by-side")
@pytest.mark.parametrize("left", ["", "[1", "[]"])
def test_notes_that_a_power_cut_left_damaged_are_written_anew(tmp_path: Path, left: str) -> None:
    home = Home(tmp_path)
    home.lock()
    (tmp_path / "run" / "ports.json").write_text(left)
    (tmp_path / "secrets.json").write_text(left)
    assert home.port("prefect") == home.port("prefect") and home.secret("prefect") == home.secret("prefect")
