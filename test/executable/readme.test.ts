import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningCatp, startCatp } from '../support/executable.ts';
import { openReceiver } from '../support/receiver.ts';
import { ROOT } from '../support/sources.ts';

/** The bash block that follows `<!-- name -->` in README.md. */
async function blockAfter(name: string): Promise<string> {
  const readme = await Bun.file(join(ROOT, 'README.md')).text();
  const [, block] = new RegExp(`<!-- ${name} -->[^]*?\`\`\`bash\n([^]*?)\`\`\``).exec(readme) ?? [];
  if (block === undefined) throw new Error(`README.md has no bash block after <!-- ${name} -->`);
  return block;
}

async function paste(script: string, cwd: string): Promise<{ output: string; errors: string; code: number }> {
  const bash = Bun.spawn(['bash', '-euo', 'pipefail', '-c', script], { cwd, stdout: 'pipe', stderr: 'pipe' });
  const [output, errors, code] = await Promise.all([
    new Response(bash.stdout).text(),
    new Response(bash.stderr).text(),
    bash.exited,
  ]);
  return { output, errors, code };
}

describe('README', () => {
  let folder: string;
  let catp: RunningCatp;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'catp-readme-'));
    catp = await startCatp(['dev', '--port', '0'], { cwd: folder });
  });

  afterAll(async () => {
    await catp.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('its tour works when pasted', async () => {
    const script = (await blockAfter('tour'))
      .replace('http://127.0.0.1:8080', catp.url)
      .replace(/ \| head -\d+$/m, '');
    const { output, errors, code } = await paste(script, folder);
    expect({ errors, code }).toEqual({ errors: '', code: 0 });
    for (const sign of [
      '"versao":"1","situacao":"ATIVADO"', // included
      '"versao":"2","situacao":"ATIVADO"', // new version
      '"versao":"2.1","situacao":"ATIVADO"', // rectified
      '"codigosInterno":["CX-10"]}]', // listed
      "Você quis dizer 'denominacao'?",
      '"situacao": "Ativado"', // exported
      '"processed"', // imported
    ])
      expect(output).toContain(sign);
  });

  test('its notifications arrive, fail on record, and end the subscription after 30 days', async () => {
    const home = mkdtempSync(join(tmpdir(), 'catp-readme-'));
    const receiver = await openReceiver({ secret: 'segredo-1' });
    const ca = join(home, 'ca.pem');
    await Bun.write(ca, receiver.ca);
    const sender = await startCatp(
      ['dev', '--port', '0', '--clock', '2026-01-15T12:00:00Z', '--retry', 'none', '--ca', ca].concat([
        '--map',
        `erp.exemplo:443=127.0.0.1:${receiver.port}`,
      ]),
      { cwd: home },
    );
    const setUp = (await blockAfter('notifications')).replace('http://127.0.0.1:8080', sender.url);
    expect(await paste(setUp, home)).toMatchObject({ errors: '', code: 0 });
    const { headers } = await receiver.next();
    expect(headers).toMatchObject({ 'event-type': 'catp-prod-alterado', secret: 'segredo-1' });

    await receiver.close();
    const functions = setUp.slice(0, setUp.indexOf('sign_in demo\n'));
    const { output, errors, code } = await paste(
      `${functions}sign_in demo\n${await blockAfter('failures')}`,
      home,
    );
    expect({ errors, code }).toEqual({ errors: '', code: 0 });
    expect(output).toContain('"data":"15-01-2026 09:00:00","descricao":"A conexão com o destinatário falhou');
    expect(output).toContain('Exclusão automática: somente erros de entrega nos últimos 30 dias.');
    await sender.stop();
    rmSync(home, { recursive: true, force: true });
  });

  test('its story of a change of attribute table happens as told', async () => {
    const home = mkdtempSync(join(tmpdir(), 'catp-readme-'));
    symlinkSync(join(ROOT, 'src'), join(home, 'src'));
    const fresh = await startCatp(['dev', '--port', '0'], { cwd: home });
    const script = (await blockAfter('attributes')).replace('http://127.0.0.1:8080', fresh.url);
    const { output, errors, code } = await paste(script, home);
    expect({ errors, code }).toEqual({ errors: '', code: 0 });
    for (const sign of [
      '"attributeTable":{"versao":"1"}',
      '"path":"/atributos/0/valor"', // the wrong domain code
      '"difference"',
      '"deactivated":3,"events":2',
      '"situacao":"DESATIVADO"',
      'catp-prod-desativado',
      '"versao":"2","situacao":"ATIVADO"',
    ])
      expect(output).toContain(sign);
    await fresh.stop();
    rmSync(home, { recursive: true, force: true });
  });
});
