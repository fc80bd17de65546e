/**
 * The behaviour of `start` in each package, as one program per language; and a program that is killed with
 * its instance open.
 */
const node = `import assert from 'node:assert/strict';
import { start } from 'catp';
const one = await start({ empty: true, clock: '2026-01-15T12:00:00Z' });
assert.equal(await one.clock.advance('P30D'), '2026-02-14T09:00:00.000-03:00');
assert.equal(await one.clock.now(), '2026-02-14T09:00:00.000-03:00'); // its own session ended on the way
await one.snapshot('um');
await assert.rejects(one.signIn('ninguem'), /ninguem não entrou: .*PLAT-ER8008/);
await assert.rejects(one.restore('outro'), /404/);
await one.stop();
await assert.rejects(fetch(one.url));
await assert.rejects(start({ args: ['--nada'] }), /terminou com 2[^]*--nada/);
const seeds = async (options) => {
  const two = await start({ empty: true, ...options });
  const rules = await two.admin('GET', '/faults');
  await two.stop();
  return rules.map(({ chaos: { seed, set } }) => [seed, set].join());
};
assert.deepEqual(await seeds({ chaos: { seed: 7 } }), ['7,tudo']);
process.env.CAOS = '8:erros-5xx';
assert.deepEqual(await seeds({}), ['8,erros-5xx']);
assert.deepEqual(await seeds({ chaos: false }), []);
assert.deepEqual(await seeds({ chaos: { seed: 7, set: 'lentidao' } }), ['7,lentidao']);`;

const python = `import catp, urllib.error
with catp.start(empty=True, clock="2026-01-15T12:00:00Z") as one:
    assert one.clock.advance("P30D") == "2026-02-14T09:00:00.000-03:00"
    assert one.clock.now() == "2026-02-14T09:00:00.000-03:00"
    one.snapshot("um")
    for ask, said in ((lambda: one.sign_in("ninguem"), "PLAT-ER8008"), (lambda: one.restore("outro"), "404")):
        try:
            ask()
            raise AssertionError(said)
        except RuntimeError as refused:
            assert said in str(refused), refused
try:
    catp.start(args=["--nada"])
    raise AssertionError("--nada")
except RuntimeError as refused:
    assert "terminou com 2" in str(refused) and "--nada" in str(refused), refused
def seeds(**options):
    with catp.start(empty=True, **options) as two:
        return [(rule["chaos"]["seed"], rule["chaos"]["set"]) for rule in two.admin("GET", "/faults")]
import os
assert seeds(chaos=(7, "lentidao")) == [("7", "lentidao")]
assert [seeds(chaos=0), seeds(chaos="verde")] == [[("0", "tudo")], [("verde", "tudo")]]
os.environ["CAOS"] = "8"
assert seeds() == [("8", "tudo")]
assert seeds(chaos=False) == []
`;

const java = `import catp.Catp;
import java.util.List;

class Historia {
  static void igual(Object dito, Object achado) {
    if (!dito.equals(achado)) throw new AssertionError(dito + " != " + achado);
  }

  static String sorteio(Catp.Options options) {
    try (Catp two = Catp.start(options.empty())) {
      String rules = two.admin("GET", "/faults", "").body();
      return rules.replaceAll(".*\\"seed\\":\\"(\\\\w+)\\",\\"set\\":\\"([\\\\w-]+)\\".*", "$1:$2");
    }
  }

  public static void main(String[] args) throws Exception {
    Catp one = Catp.start(Catp.options().empty().clock("2026-01-15T12:00:00Z"));
    igual("2026-02-14T09:00:00.000-03:00", one.clock().advance("P30D"));
    igual("2026-02-14T09:00:00.000-03:00", one.clock().now());
    igual("2026-03-01T09:00:00.000-03:00", one.clock().set("2026-03-01T12:00:00Z"));
    one.snapshot("um");
    one.restore("um");
    one.stop();
    igual(List.of("7:tudo", "verde:tudo"), List.of(sorteio(Catp.options().chaos(7)), sorteio(Catp.options().chaos("verde"))));
    igual("verde:lentidao", sorteio(Catp.options().chaos("verde", "lentidao")));
    igual("[]", sorteio(Catp.options().withoutChaos()));
    Catp.start().stop();
  }
}
`;

export const STORIES = { node, python, java } as const;

/** Programs that check the folder of their instance, are killed, and so cannot remove it. */
export const KILLED = {
  node: `import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { start } from 'catp';
await start({ empty: true });
process.kill(process.pid, readdirSync(tmpdir()).length === 1 ? 'SIGKILL' : 'SIGTERM');`,
  python: `import catp, os, tempfile
catp.start(empty=True)
os.kill(os.getpid(), 9 if len(os.listdir(tempfile.gettempdir())) == 1 else 15)
`,
  java: `import catp.Catp;
import java.io.File;

class Morta {
  public static void main(String[] args) {
    Catp.start(Catp.options().empty());
    Runtime.getRuntime().halt(new File(System.getProperty("java.io.tmpdir")).list().length == 1 ? 137 : 1);
  }
}
`,
} as const;
