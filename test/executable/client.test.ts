/** The first tour of README over HTTPS, with curl and a configured certificate authority. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { toEnd } from '../../scripts/proof/to-end.ts';
import { certificateFiles } from '../support/tls.ts';
import type { RunningCatp } from '../support/executable.ts';
import { type Sandbox, openSandbox } from './support.ts';
import { blockAfter } from './terminal.ts';

let sandbox: Sandbox;
let catp: RunningCatp;
beforeAll(async () => {
  sandbox = await openSandbox('https');
  catp = await sandbox.start('dev', '--port', '0');
});
afterAll(() => sandbox.close());

test('the tour works the same as over HTTP', async () => {
  expect(catp.url).toStartWith('https://');
  const { ca } = await certificateFiles();
  const script = (await blockAfter('tour'))
    .replace('http://127.0.0.1:8080', catp.url)
    .replace(/ \| head -\d+$/m, '');
  const { code, out, err } = await toEnd(['bash', '-euo', 'pipefail', '-c', script], {
    cwd: sandbox.folder,
    env: { ...process.env, CURL_CA_BUNDLE: ca },
  });
  expect({ err, code }).toEqual({ err: '', code: 0 });
  for (const sign of ['"versao":"2.1","situacao":"ATIVADO"', '"situacao": "Ativado"', '"processed"'])
    expect(out).toContain(sign);
});
