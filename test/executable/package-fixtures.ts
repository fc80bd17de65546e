/**
 * A suite for each package whose tests leave faults, in two files (classes) that begin differently. Each test
 * finds the prepared data, a rule with its full count and the seed of the command line, and no state of
 * another test. The requests that the packages send automatically cause no notice.
 */
const node = (year: number): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixture } from 'catp/node-test';

const catp = fixture({
  empty: true, clock: '${year}-01-15T12:00:00Z', args: ['--chaos', '7:tudo:0'],
  prepare: (nova) => nova.admin('POST', '/faults', { method: 'GET', path: '/catp/*', fault: { kind: 'status', status: 503 } }),
});
const PRODUTO = { denominacao: 'Parafuso', modalidade: 'IMPORTACAO', ncm: '73181500' };

for (const vez of ['um', 'dois'])
  test(vez, async () => {
    assert.equal(await catp.clock.now(), '${year}-01-15T09:00:00.000-03:00');
    const demo = await catp.signIn('demo');
    const inclui = async () => (await demo('POST', '/catp/api/ext/produto/12345678', PRODUTO)).status;
    const le = async () => (await demo('GET', '/catp/api/ext/produto?cpfCnpjRaiz=12345678')).status;
    assert.deepEqual([await inclui(), await le(), await le()], [200, 503, 200]);
    await catp.admin('POST', '/faults', { method: 'POST', times: null, fault: { kind: 'status', status: 500 } });
    await catp.admin('DELETE', '/faults/' + (await catp.admin('GET', '/faults')).at(-1).id);
    assert.equal(await inclui(), 500);
  });

test('o sorteio fica, e na suíte nada se estranha', async () => {
  const demo = await catp.signIn('demo');
  for (let vez = 0; vez < 12; vez += 1) await demo('GET', '/catp/api/ext/produto?cpfCnpjRaiz=12345678');
  assert.deepEqual(await catp.admin('GET', '/conformity'), { findings: [] });
  const [, { percent, chaos }] = await catp.admin('GET', '/faults');
  assert.deepEqual([percent, chaos.seed, chaos.set], [0, '7', 'tudo']);
});
`;

const python = (year: number): string => `import pytest

PRODUTO = {"denominacao": "Parafuso", "modalidade": "IMPORTACAO", "ncm": "73181500"}


@pytest.fixture(scope="module")
def catp_options():
    return {"empty": True, "clock": "${year}-01-15T12:00:00Z", "args": ["--chaos", "7:tudo:0"]}


@pytest.fixture(scope="module")
def catp_prepare():
    rule = {"method": "GET", "path": "/catp/*", "fault": {"kind": "status", "status": 503}}
    return lambda catp: catp.admin("POST", "/faults", rule)


@pytest.mark.parametrize("vez", ["um", "dois"])
def test_nada_fica(catp, vez):
    assert catp.clock.now() == "${year}-01-15T09:00:00.000-03:00"
    demo = catp.sign_in("demo")
    inclui = lambda: demo("POST", "/catp/api/ext/produto/12345678", PRODUTO)[0]
    le = lambda: demo("GET", "/catp/api/ext/produto?cpfCnpjRaiz=12345678")[0]
    assert [inclui(), le(), le()] == [200, 503, 200]
    catp.admin("POST", "/faults", {"method": "POST", "times": None, "fault": {"kind": "status", "status": 500}})
    catp.admin("DELETE", f"/faults/{catp.admin('GET', '/faults')[-1]['id']}")
    assert inclui() == 500


def test_o_sorteio_fica_e_na_suite_nada_se_estranha(catp):
    demo = catp.sign_in("demo")
    for _ in range(12):
        demo("GET", "/catp/api/ext/produto?cpfCnpjRaiz=12345678")
    assert catp.admin("GET", "/conformity") == {"findings": []}
    _, rule = catp.admin("GET", "/faults")
    assert (rule["percent"], rule["chaos"]["seed"], rule["chaos"]["set"]) == (0, "7", "tudo")
`;

const java = (
  name: string,
  year: number,
): string => `import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import catp.Catp;
import catp.CatpExtension;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ${name} {
  @RegisterExtension
  static final CatpExtension catp =
      new CatpExtension(Catp.options().empty().clock("${year}-01-15T12:00:00Z").args("--chaos", "7:tudo:0"))
          .preparing(nova -> nova.admin("POST", "/faults", "{\\"method\\": \\"GET\\", \\"path\\": \\"/catp/*\\", \\"fault\\": {\\"kind\\": \\"status\\", \\"status\\": 503, \\"message\\": \\"},{\\\\\\"id\\\\\\":1\\"}}"));

  static final String PRODUTO = "{\\"denominacao\\": \\"Parafuso\\", \\"modalidade\\": \\"IMPORTACAO\\", \\"ncm\\": \\"73181500\\"}";
  static final String FALHA = "{\\"method\\": \\"POST\\", \\"times\\": null, \\"fault\\": {\\"kind\\": \\"status\\", \\"status\\": 500}}";

  static int inclui(Catp.Caller demo) {
    return demo.ask("POST", "/catp/api/ext/produto/12345678", PRODUTO).status();
  }

  static int le(Catp.Caller demo) {
    return demo.ask("GET", "/catp/api/ext/produto?cpfCnpjRaiz=12345678").status();
  }

  static Catp primeira;

  @BeforeAll
  static void comeca() {
    primeira = catp.instance();
  }

  @Nested
  class Dentro {
    @Test
    void encontraAMesma() {
      assertSame(primeira, catp.instance());
      assertEquals(200, inclui(catp.signIn("demo")));
    }
  }

  @AfterAll
  static void continuaLa() {
    assertSame(primeira, catp.instance());
  }

  @RepeatedTest(2)
  void nadaFica() {
    Catp um = catp.instance();
    assertTrue(um.clock().now().startsWith("${year}-"));
    Catp.Caller demo = catp.signIn("demo");
    assertEquals(List.of(200, 503, 200), List.of(inclui(demo), le(demo), le(demo)));
    String id = um.admin("POST", "/faults", "{\\"chaos\\": {\\"seed\\": \\"8\\"}, \\"percent\\": 0}").body().replaceAll("\\\\D", "");
    um.admin("POST", "/faults", FALHA);
    um.admin("DELETE", "/faults/" + id, "");
    assertEquals(500, inclui(demo));
  }

  @Test
  void oSorteioFicaENaSuiteNadaSeEstranha() {
    Catp.Caller demo = catp.signIn("demo");
    for (int vez = 0; vez < 12; vez++) le(demo);
    assertEquals("{\\"findings\\":[]}", catp.instance().admin("GET", "/conformity", "").body());
    String rules = catp.instance().admin("GET", "/faults", "").body();
    assertTrue(rules.contains("\\"percent\\":0,\\"chaos\\":{\\"seed\\":\\"7\\",\\"set\\":\\"tudo\\","), rules);
  }
}
`;

export const FIXTURE_SUITES = { node, python, java } as const;
