"""Settings: flags, environment, defaults; one clear sentence for a bad value; secrets stay secret."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path

import pytest
from pydantic import SecretStr

from cli.extract import extraction_settings
from spatial.contract import limits
from storage import environment, settings
from storage.settings import SettingsError

pytestmark = pytest.mark.requirement("settings.environment")


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.upper().startswith(environment.PREFIX):
            monkeypatch.delenv(name)


def test_defaults_hang_on_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    chosen = settings.load()
    assert chosen.home == tmp_path / ".spatial"
    assert chosen.storage_url == f"file://{tmp_path}/.spatial/lake"
    assert chosen.converter_url == f"unix://{tmp_path}/.spatial/run/converter.sock"
    assert (chosen.database_url, chosen.content_url_allow) == (None, ())
    assert chosen.file_limit_bytes == limits.FILE_BYTES
    with pytest.raises(SettingsError, match="SPATIAL_DATABASE_URL is not set"):
        chosen.need_database_url()


def test_a_flag_wins_over_the_environment_and_that_over_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPATIAL_API_PORT", "8001")
    monkeypatch.setenv("SPATIAL_HOME", "~/somewhere")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert settings.load().api_port == 8001
    assert settings.load(api_port=8002).api_port == 8002
    assert settings.load(api_port=None).api_port == 8001
    assert settings.load().home == tmp_path / "somewhere"
    sources = {setting.variable: setting.source for setting in settings.describe(settings.load(api_host="0.0.0.0"))}
    assert sources["SPATIAL_API_PORT"] == "environment"
    assert sources["SPATIAL_API_HOST"] == "flag"
    assert sources["SPATIAL_STORAGE_URL"] == "default"


def test_an_empty_variable_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in settings.Settings.model_fields:
        monkeypatch.setenv(settings.variable(name), "")
    chosen = settings.load()
    assert (chosen.webhook_secret, chosen.api_port, chosen.model_fields_set) == (None, 8000, set())


@pytest.mark.parametrize(
    "written", ["postgres://u:p@h/d", "postgresql://u:p@h/d", "postgresql+asyncpg://u:p@h/d", " postgresql://u:p@h/d "]
)
def test_a_postgres_url_has_one_spelling(written: str) -> None:
    assert settings.load(database_url=written).database_url == "postgresql+asyncpg://u:p@h/d"


def test_a_host_list_is_split_at_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPATIAL_CONTENT_URL_ALLOW", "Files:9000, [::1]:80,")
    assert settings.load().content_url_allow == ("files:9000", "[::1]:80")


BAD = [
    ("SPATIAL_API_PORT", "eighty", "give a whole number"),
    ("SPATIAL_API_PORT", "0", "give a number of at least 1"),
    ("SPATIAL_API_PORT", "65536", "give a number of at most 65535"),
    ("SPATIAL_DATABASE_URL", "mysql://u:hunter2@h/d", "not a Postgres URL"),
    ("SPATIAL_DATABASE_URL", "postgresql://u:hunter2@h", "names no host or no database"),
    ("SPATIAL_STORAGE_URL", "/var/lake", "file:///absolute/directory or s3://bucket/prefix"),
    ("SPATIAL_STORAGE_URL", "s3://Bad_Bucket/", "s3://bucket/prefix"),
    ("SPATIAL_S3_ENDPOINT", "minio:9000", "http://host:port"),
    ("SPATIAL_PREFECT_API_URL", "http://user@h/api", "http://host:port"),
    ("SPATIAL_CONVERTER_URL", "/run/x.sock", "unix:///path/converter.sock or http://host:port"),
    ("SPATIAL_CONTENT_URL_ALLOW", "files", "'files' is not host:port"),
    ("SPATIAL_CONTENT_URL_ALLOW", "a:1,b@c:2", "is not host:port"),
    ("SPATIAL_LEASE_SECONDS", "0", "give a number above 0"),
    ("SPATIAL_LEASE_SECONDS", "nan", ""),
    ("SPATIAL_PRICE_INPUT_USD_PER_MILLION", "inf", "finite"),
    ("SPATIAL_LOG_LEVEL", "loud", "'debug', 'info', 'warning' or 'error'"),
]


STRIPE = {"STRIPE_KEY": "sk_test_hunter2", "STRIPE_INPUT_METER": "input", "STRIPE_OUTPUT_METER": "output"}


@pytest.mark.requirement("stripe.settings")
@pytest.mark.parametrize(
    ("names", "complains"),
    [
        (["STRIPE_KEY"], "STRIPE_INPUT_METER"),
        (["STRIPE_KEY", "STRIPE_INPUT_METER"], "STRIPE_OUTPUT_METER"),
        (["STRIPE_KEY", "STRIPE_OUTPUT_METER"], "STRIPE_INPUT_METER"),
        (["STRIPE_INPUT_METER"], "STRIPE_INPUT_METER"),
        (["STRIPE_WEBHOOK_SECRET"], "STRIPE_WEBHOOK_SECRET"),
        (["STRIPE_API_URL"], "STRIPE_API_URL"),
    ],
)
def test_a_half_set_stripe_is_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, names: list[str], complains: str
) -> None:
    every = STRIPE | {"STRIPE_WEBHOOK_SECRET": "whsec_hunter2", "STRIPE_API_URL": "http://127.0.0.1:1"}
    for name in names:
        monkeypatch.setenv(f"SPATIAL_{name}", every[name])
    with pytest.raises(SettingsError) as refusal:
        settings.load()
    message = refusal.value.message
    assert message.startswith(f"SPATIAL_{complains}") and "SPATIAL_STRIPE_KEY" in message
    assert "hunter2" not in message and "None" not in message and "unset" in message


@pytest.mark.requirement("stripe.settings")
@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("STRIPE_KEY", "pk_test_hunter2", "begins with sk_ or rk_"),
        ("STRIPE_OUTPUT_METER", "input", "make a meter for each"),
    ],
)
def test_a_key_of_another_kind_and_one_meter_for_both_are_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, says: str
) -> None:
    for each, text in (STRIPE | {name: value}).items():
        monkeypatch.setenv(f"SPATIAL_{each}", text)
    with pytest.raises(SettingsError, match=says) as refusal:
        settings.load()
    assert refusal.value.message.startswith(f"SPATIAL_{name}") and "hunter2" not in refusal.value.message


@pytest.mark.requirement("stripe.settings")
def test_a_stripe_that_is_set_is_handed_to_other_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in STRIPE.items():
        monkeypatch.setenv(f"SPATIAL_{name}", value)
    chosen = settings.load()
    for name, value in settings.to_environment(chosen).items():
        monkeypatch.setenv(name, value)
    assert settings.load() == chosen and "hunter2" not in repr(chosen)


@pytest.mark.parametrize(("name", "value", "says"), BAD)
def test_a_bad_value_is_one_sentence_that_names_it_and_no_secret(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, says: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as refusal:
        settings.load()
    message = refusal.value.message
    assert message.startswith(name) and says in message and "\n" not in message
    assert "hunter2" not in message


def test_a_flag_that_does_not_exist_is_named() -> None:
    with pytest.raises(SettingsError, match="no setting colour"):
        settings.load(colour="red")


def test_every_setting_is_described_and_secrets_are_masked() -> None:
    secrets = {"webhook_secret": "hunter2", "prefect_auth": "admin:hunter2"}
    chosen = settings.load(database_url="postgresql://u:hunter2@h/d", **secrets)
    described = settings.describe(chosen)
    assert [setting.variable for setting in described] == [
        settings.variable(name) for name in settings.Settings.model_fields
    ]
    assert all(setting.description for setting in described)
    assert "hunter2" not in repr(described) and "hunter2" not in repr(chosen)
    assert chosen.webhook_secret == SecretStr("hunter2")
    assert {setting.value for setting in described} >= {"postgresql+asyncpg://u:***@h/d", "***"}
    assert [setting.default for setting in settings.describe()] == [setting.default for setting in described]


def test_misspelt_variables_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPATIAL_API_PROT", "1")
    monkeypatch.setenv("SPATIAL_API_PORT", "1")
    monkeypatch.setenv("SPATIAL_API_KEY", "sk_1")  # of the Python client
    assert settings.unknown_variables() == ["SPATIAL_API_PROT"]


def test_one_extraction_has_the_defaults_of_a_deployment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    own = extraction_settings(None)
    assert asdict(own) == {name: getattr(settings.load(), name) for name in asdict(own)}
    monkeypatch.setenv("SPATIAL_POINTS_TOTAL", "1000")
    assert extraction_settings(None).points_total == 1000
