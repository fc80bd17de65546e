"""Uma instância de ``catp dev`` só de quem a pede: começa em um instante, em uma porta livre, e não sobrevive a quem a pediu."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request
from collections import deque
from pathlib import Path
from typing import Any, Callable, Sequence, Tuple, Union

__all__ = ["Caller", "Chaos", "Instance", "chaos_of", "executable", "start"]

Caller = Callable[..., "tuple[int, Any]"]
"""``caller(method, path, body=None) -> (status, JSON da resposta, ou seu texto)``"""

Chaos = Union[int, str, Tuple[Union[int, str], str]]
"""Falhas sorteadas: a semente, ou ela e o conjunto (``catp dev --chaos list``; padrão: ``tudo``)."""

_USUAL_SET = "tudo"

_JSON = re.compile("application/json", re.IGNORECASE)
_LAST_LINES = 20
_STOP_SECONDS = 10


def executable() -> str:
    """O caminho do executável: o de ``CATP``, ou o deste pacote."""
    name = "catp.exe" if sys.platform == "win32" else "catp"
    return os.environ.get("CATP") or str(Path(__file__).parent / "bin" / name)


def chaos_of(chaos: Chaos | bool | None = None) -> tuple[int | str, str] | None:
    """As falhas que foram pedidas; sem um pedido, as da variável ``CAOS`` (``1:tudo``)."""
    if chaos is False:
        return None
    if chaos is not None:
        return chaos if isinstance(chaos, tuple) else (chaos, _USUAL_SET)
    seed, _, name = os.environ.get("CAOS", "").partition(":")
    return (seed, name or _USUAL_SET) if seed else None


def start(
    *,
    empty: bool = False,
    profile: str | None = None,
    clock: str | None = None,
    data: str | None = None,
    snapshot: str | None = None,
    chaos: Chaos | bool | None = None,
    args: Sequence[str] = (),
) -> Instance:
    """Volta quando a instância atende.

    empty: sem o catálogo e a tabela de atributos inventados.
    profile: ``especificacao`` (padrão) ou ``portal``.
    clock: instante ISO 8601 em que o relógio de teste começa, parado; sem ele, o da máquina.
    data: pasta de dados, que fica; sem ela, uma temporária, apagada no fim.
    snapshot: começa do estado guardado com este nome na pasta.
    chaos: falhas sorteadas, como ``1`` ou ``(1, "respostas-perdidas")``; sem elas, as da variável ``CAOS``; ``False``: nenhuma.
    args: mais opções de ``catp dev``.
    """
    folder = data or tempfile.mkdtemp(prefix="catp-")
    words = [executable(), "dev", "--port", "0", "--data", folder, "--exit-with-parent"]
    words += [] if data else ["--temporary"]
    words += ["--empty"] if empty else []
    for flag, value in (("--perfil", profile), ("--clock", clock), ("--snapshot", snapshot)):
        words += [flag, value] if value else []
    if faults := chaos_of(chaos):
        words += ["--chaos", f"{faults[0]}:{faults[1]}"]
    server = subprocess.Popen(
        [*words, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )
    complaints: deque[str] = deque(maxlen=_LAST_LINES)
    reading = threading.Thread(target=lambda: complaints.extend(server.stderr), daemon=True)
    reading.start()
    for line in server.stdout:
        if ready := re.search(r"pronto em (\S+)", line):
            threading.Thread(target=server.stdout.read, daemon=True).start()
            return Instance(ready.group(1), server, None if data else folder)
    code = server.wait()
    reading.join()
    if not data:
        shutil.rmtree(folder, ignore_errors=True)
    raise RuntimeError(f"catp: a instância terminou com {code}\n{''.join(complaints)}")


class Instance:
    """Uma instância que atende; um gerenciador de contexto que a termina."""

    def __init__(self, url: str, server: subprocess.Popen[str], folder: str | None) -> None:
        self.url = url
        self.clock = Clock(self)
        self._server = server
        self._folder = folder
        self._admin: Caller | None = None

    def __enter__(self) -> Instance:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def sign_in(self, client_id: str, client_secret: str | None = None, role_type: str = "IMPEXP") -> Caller:
        """Entra com uma chave de acesso; o que devolve faz requisições nessa sessão, com o X-CSRF-Token que cada resposta renova. O segredo dos usuários fixos é o próprio Client-Id."""
        secret = client_id if client_secret is None else client_secret
        keys = {"Client-Id": client_id, "Client-Secret": secret, "Role-Type": role_type}
        status, body, headers = _ask(self.url, "POST", "/portal/api/autenticar/chave-acesso", None, keys)
        if status != 200:
            raise RuntimeError(f"catp: {client_id} não entrou: {body}")
        tokens = {"Authorization": headers["Set-Token"], "X-CSRF-Token": headers["X-CSRF-Token"]}

        def ask(method: str, path: str, body: object = None) -> tuple[int, Any]:
            status, answer, headers = _ask(self.url, method, path, body, tokens)
            tokens["X-CSRF-Token"] = headers.get("X-CSRF-Token", tokens["X-CSRF-Token"])
            return status, answer

        return ask

    def admin(self, method: str, path: str, body: object = None) -> Any:
        """Uma operação de ``/appliance/api``, como administrador; lança o que for recusado."""
        for is_last in (False, True):
            self._admin = self._admin or self.sign_in("admin")
            status, answer = self._admin(method, f"/appliance/api{path}", body)
            if status < 300:
                return answer
            if status != 401 or is_last:
                raise RuntimeError(f"catp: {method} {path}: {status} {answer}")
            self._admin = None

    def snapshot(self, name: str) -> None:
        """Guarda o estado inteiro."""
        self.admin("POST", f"/snapshots/{name}")

    def restore(self, name: str) -> None:
        """Volta a ele; quem entrou continua conectado."""
        self.admin("POST", f"/snapshots/{name}/restore")

    def stop(self) -> None:
        """Termina a instância, e espera que termine."""
        self._server.terminate()
        try:
            self._server.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._server.kill()
            self._server.wait()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)


class Clock:
    """O relógio de teste, que só anda quando mandado; instantes ISO 8601."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance

    def now(self) -> str:
        return self._instance.admin("GET", "/clock")["now"]

    def advance(self, duration: str) -> str:
        """Uma duração ISO 8601, como ``P30D``; o que vence no caminho é feito antes de voltar."""
        return self._instance.admin("POST", "/clock", {"advance": duration})["now"]

    def set(self, moment: str) -> str:
        return self._instance.admin("POST", "/clock", {"set": moment})["now"]


def _ask(
    url: str, method: str, path: str, body: object, headers: dict[str, str]
) -> tuple[int, Any, Any]:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url + path, data, {**headers, "Content-Type": "application/json"}, method=method)
    try:
        answer = _DIRECT.open(request)
    except urllib.error.HTTPError as refusal:
        answer = refusal
    with answer:
        text = answer.read().decode()
        is_json = text and _JSON.match(answer.headers.get("Content-Type", ""))
        return answer.status, json.loads(text) if is_json else text or None, answer.headers


# A instância está nesta máquina: nenhum proxy fica no caminho.
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
