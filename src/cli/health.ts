/** `catp health`: checks if an instance is ready, for containers and pipelines without curl. */
import { REAL_TIME, SECOND_MS } from '../clock.ts';
import { OperatorError, UsageError } from '../errors.ts';
import { formatValue } from '../validation/format-value.ts';
import { nodeHttp, nodeHttps } from '../system/builtin.ts';
import { reasonOf } from '../system/errors.ts';
import { visibleLines } from '../validation/text.ts';
import type { PlainCommand } from './flag.ts';
import { integer } from './values.ts';

const DEADLINE_MS = 3 * SECOND_MS;
const RETRY_MS = 100;
const WAIT_MAX_S = 3600;

interface HealthFlags {
  readonly url: string;
  readonly wait: number;
}

export const health: PlainCommand = {
  name: 'health',
  about: 'confere se uma instância está pronta: código de saída 0 se está, 1 se não',
  flags: [
    { usage: '--url <endereço>', about: 'endereço da instância', defaultValue: 'http://127.0.0.1:8080' },
    {
      usage: '--wait <segundos>',
      about: 'espera até que fique pronta, por no máximo esse tempo',
      defaultValue: 0,
      parse: integer('--wait', 0, WAIT_MAX_S),
    },
  ],
  run: (flags: HealthFlags) => runHealth(flags),
};

async function runHealth({ url, wait }: HealthFlags): Promise<void> {
  const ready = readinessOf(url);
  const deadline = REAL_TIME.now() + wait * SECOND_MS;
  for (;;) {
    const problem = await problemOf(ready);
    if (problem === undefined) {
      process.stdout.write(visibleLines(`catp health: ${url} está pronto.\n`));
      return;
    }
    if (REAL_TIME.now() >= deadline) throw new OperatorError(`${url} não está pronto: ${problem}.`);
    await new Promise<void>((resolve) => void REAL_TIME.after(RETRY_MS, resolve));
  }
}

function readinessOf(url: string): URL {
  const parsed = URL.parse('/readyz', url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw new UsageError(
      `--url: recebido ${formatValue(url)}; aceita um endereço http ou https, por exemplo http://127.0.0.1:8080.`,
    );
  return parsed;
}

/**
 * Resolves to the reason why the instance is not ready; `undefined`: it is. The request uses no proxy, since
 * it checks exactly this address.
 */
function problemOf(url: URL): Promise<string | undefined> {
  const { request } = url.protocol === 'https:' ? nodeHttps() : nodeHttp();
  return new Promise((resolve) => {
    const probe = request(url, { timeout: DEADLINE_MS, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200 ? undefined : `respondeu ${answer.statusCode}`);
    });
    probe.once('timeout', () => probe.destroy(new Error(`não respondeu em ${DEADLINE_MS} ms`)));
    probe.once('error', (error) => resolve(reasonOf(error)));
    probe.end();
  });
}
