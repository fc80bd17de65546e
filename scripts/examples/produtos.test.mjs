import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';

const PRODUTO = { denominacao: 'Parafuso sextavado', modalidade: 'IMPORTACAO', ncm: '73181500' };

describe('o catálogo', () => {
  let instancia, demo, admin;

  before(async () => {
    instancia = await inicia('--empty');
    [demo, admin] = [await entra('demo'), await entra('admin')];
    await demo('POST', '/catp/api/ext/produto/12345678', PRODUTO);
    await admin('POST', '/appliance/api/snapshots/inicio');
  });
  beforeEach(() => admin('POST', '/appliance/api/snapshots/inicio/restore'));
  after(() => instancia.termina());

  it('inclui um produto', async () => {
    const incluido = await demo('POST', '/catp/api/ext/produto/12345678', PRODUTO);
    assert.equal(incluido.status, 200);
    assert.equal((await incluido.json()).codigo, 2);
  });

  it('não lembra o que outro teste incluiu: o código é outra vez o 2', async () => {
    const incluido = await demo('POST', '/catp/api/ext/produto/12345678', PRODUTO);
    assert.equal((await incluido.json()).codigo, 2);
    const lista = await demo('GET', '/catp/api/ext/produto?cpfCnpjRaiz=12345678');
    assert.equal((await lista.json()).length, 2);
  });

  it('recusa uma NCM malformada, e diz onde', async () => {
    const recusado = await demo('POST', '/catp/api/ext/produto/12345678', { ...PRODUTO, ncm: '7318' });
    assert.equal(recusado.status, 400);
    assert.equal((await recusado.json()).detail[0].path, '/ncm');
  });

  /** Uma instância só desta suíte, em uma porta livre; não sobrevive à suíte nem por kill -9. */
  async function inicia(...opcoes) {
    const pasta = mkdtempSync(join(tmpdir(), 'catp-'));
    const servidor = spawn(
      process.env.CATP ?? 'catp',
      ['dev', '--port', '0', '--data', pasta, '--exit-with-parent', ...opcoes],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const terminou = new Promise((resolve) => servidor.once('exit', resolve));
    const url = await new Promise((resolve, reject) => {
      let dito = '';
      servidor.once('error', reject);
      void terminou.then((codigo) => reject(new Error(`a instância terminou com ${codigo}`)));
      servidor.stdout.on('data', (bytes) => {
        dito += bytes;
        const [, endereco] = /pronto em (\S+)\n/.exec(dito) ?? [];
        if (endereco) resolve(endereco);
      });
    });
    const termina = async () => {
      servidor.kill();
      await terminou;
      rmSync(pasta, { recursive: true, force: true });
    };
    return { url, termina };
  }

  /** Entra uma vez; o que devolve faz requisições como esse usuário. */
  async function entra(chave) {
    const resposta = await fetch(`${instancia.url}/portal/api/autenticar/chave-acesso`, {
      method: 'POST',
      headers: { 'Client-Id': chave, 'Client-Secret': chave, 'Role-Type': 'IMPEXP' },
    });
    const tokens = {
      Authorization: resposta.headers.get('set-token'),
      'X-CSRF-Token': resposta.headers.get('x-csrf-token'),
    };
    return (method, caminho, corpo) =>
      fetch(`${instancia.url}${caminho}`, {
        method,
        headers: { ...tokens, 'Content-Type': 'application/json' },
        body: corpo && JSON.stringify(corpo),
      });
  }
});
