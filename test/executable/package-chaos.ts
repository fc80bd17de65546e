/**
 * A suite for each package: one test that passes under every set of faults, and one that fails when an answer
 * is lost. The first one reads all ten products, which shows that `prepare`, which includes each once, met no
 * fault.
 */
export const CHAOS_SUITES = {
  node: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixture } from 'catp/node-test';

const PRODUTO = { denominacao: 'Parafuso', modalidade: 'IMPORTACAO', ncm: '73181500' };
const inclui = async (catp, vezes) => {
  const demo = await catp.signIn('demo');
  for (let vez = 0; vez < vezes; vez += 1)
    assert.equal((await demo('POST', '/catp/api/ext/produto/12345678', PRODUTO)).status, 200);
};
const catp = fixture({ empty: true, prepare: (nova) => inclui(nova, 10) });

const quantos = async () => {
  const { status, body } = await (await catp.signIn('demo'))('GET', '/catp/api/ext/produto?cpfCnpjRaiz=12345678');
  return status === 200 && Array.isArray(body) ? body.length : 0;
};
test('le, e repete', async () => {
  let lidos = 0;
  for (let vez = 0; vez < 40 && lidos === 0; vez += 1) lidos = await quantos().catch(() => 0);
  assert.equal(lidos, 10);
});
test('inclui doze, e nada repete', () => inclui(catp, 12));
`,
  python: `import pytest

PRODUTO = {"denominacao": "Parafuso", "modalidade": "IMPORTACAO", "ncm": "73181500"}


def inclui(catp, vezes):
    demo = catp.sign_in("demo")
    for _ in range(vezes):
        assert demo("POST", "/catp/api/ext/produto/12345678", PRODUTO)[0] == 200


@pytest.fixture(scope="session")
def catp_options():
    return {"empty": True}


@pytest.fixture(scope="session")
def catp_prepare():
    return lambda catp: inclui(catp, 10)


def quantos(catp):
    try:
        status, lidos = catp.sign_in("demo")("GET", "/catp/api/ext/produto?cpfCnpjRaiz=12345678")
    except Exception:
        return 0
    return len(lidos) if status == 200 and isinstance(lidos, list) else 0


def test_le_e_repete(catp):
    lidos = 0
    for _ in range(40):
        lidos = lidos or quantos(catp)
    assert lidos == 10


def test_inclui_doze_e_nada_repete(catp):
    inclui(catp, 12)
`,
  java: `import static org.junit.jupiter.api.Assertions.assertEquals;

import catp.Catp;
import catp.CatpExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FalhasTest {
  @RegisterExtension
  static final CatpExtension catp =
      new CatpExtension(Catp.options().empty()).preparing(nova -> inclui(nova, 10));

  static void inclui(Catp nova, int vezes) {
    Catp.Caller demo = nova.signIn("demo");
    String produto = "{\\"denominacao\\": \\"Parafuso\\", \\"modalidade\\": \\"IMPORTACAO\\", \\"ncm\\": \\"73181500\\"}";
    for (int vez = 0; vez < vezes; vez++)
      assertEquals(200, demo.ask("POST", "/catp/api/ext/produto/12345678", produto).status());
  }

  static int quantos() {
    try {
      Catp.Answer lidos = catp.signIn("demo").ask("GET", "/catp/api/ext/produto?cpfCnpjRaiz=12345678");
      return lidos.status() == 200 ? lidos.body().split("\\"codigo\\":").length - 1 : 0;
    } catch (RuntimeException falha) {
      return 0;
    }
  }

  @Test
  void leERepete() {
    int lidos = 0;
    for (int vez = 0; vez < 40 && lidos == 0; vez++) lidos = quantos();
    assertEquals(10, lidos);
  }

  @Test
  void incluiDozeENadaRepete() {
    inclui(catp.instance(), 12);
  }
}
`,
} as const;
