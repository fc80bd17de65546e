/** /appliance/api/events and /appliance/api/event-types (contract sections 10 and 13). */
import { describe, expect, test } from 'bun:test';
import { EVENT_TYPES } from '../../../src/notification/event/types.ts';
import { openApp } from '../../support/app.ts';
import { keepEvents } from '../../support/subscribed.ts';
import { refusalOf, serverForAllTests, serverForEachTest, subscribed } from '../support.ts';

const PATH = '/appliance/api/events';
const EVENT = {
  evento: 'duex-historico',
  destinatarioTipo: 'CNPJ',
  destinatarioId: '12345678',
  conteudo: { numeroDue: '26BR0000000019' },
} as const;

describe('access', () => {
  const open = serverForAllTests();

  test('only an administrator publishes or lists events', async () => {
    const { server, demo } = open();
    expect((await server.anybody.call('POST', PATH, EVENT)).status).toBe(401);
    expect((await server.anybody.call('GET', PATH)).status).toBe(401);
    expect((await server.anybody.call('GET', '/appliance/api/event-types')).status).toBe(401);
    expect((await demo.call('POST', PATH, EVENT)).status).toBe(403);
    expect((await demo.call('GET', PATH)).status).toBe(403);
  });
});

describe('malformed:', () => {
  const open = serverForAllTests();
  const publish = async (more: object) =>
    (await open().server.as('admin')).call('POST', PATH, { ...EVENT, ...more });

  test('missing, null and unknown members', async () => {
    const admin = await open().server.as('admin');
    const paths = ['/evento', '/destinatarioTipo', '/destinatarioId', '/conteudo'];
    expect(refusalOf(await admin.call('POST', PATH, {}))).toEqual([400, paths]);
    expect(refusalOf(await publish({ conteudo: null, outro: 1 }))).toEqual([400, ['/outro', '/conteudo']]);
  });

  test.each(['a'.repeat(41), 'com espaço', 'ação'])('the evento %s', async (evento) => {
    expect(refusalOf(await publish({ evento }))).toEqual([400, ['/evento']]);
  });

  test.each(['cpf', 'PESSOA', 1])('the destinatarioTipo %p', async (destinatarioTipo) => {
    expect(refusalOf(await publish({ destinatarioTipo }))).toEqual([400, ['/destinatarioTipo']]);
  });

  test.each([
    ['CPF', '1234567890'],
    ['CPF', '123456789012'],
    ['CPF', '1234567890A'],
    ['CPF', '12345678'],
    ['CNPJ', '1234567'],
    ['CNPJ', '123456789'],
    ['CNPJ', '1234567890123'],
    ['CNPJ', '123456789012345'],
    ['CNPJ', '12ABC678'],
    ['CNPJ', '12.345.678/0001-95'],
    ['ORGAO', 'a'.repeat(41)],
    ['ORGAO', 'RECEITA\r\nx: y'],
    ['ORGAO', 'a\u007f'],
  ])('the %s %j', async (destinatarioTipo, destinatarioId) => {
    expect(refusalOf(await publish({ destinatarioTipo, destinatarioId }))).toEqual([
      400,
      ['/destinatarioId'],
    ]);
  });

  test.each(['0', '1001', 'x', '-1'])('limit=%s', async (limit) => {
    const admin = await open().server.as('admin');
    expect(refusalOf(await admin.call('GET', `${PATH}?limit=${limit}`))).toEqual([400, ['limit']]);
  });
});

describe('publishing', () => {
  const open = serverForEachTest();

  test('returns the id and the number of deliveries', async () => {
    const { server, demo } = open();
    const admin = await server.as('admin');
    expect((await admin.call('POST', PATH, EVENT)).json).toEqual({ id: 1, deliveries: 0 });
    await subscribed(demo, { evento: EVENT.evento });
    await subscribed(await server.as('demo2'), { evento: EVENT.evento });
    const reply = await admin.call('POST', PATH, EVENT);
    expect([reply.status, reply.json]).toEqual([200, { id: 2, deliveries: 2 }]);
  });

  test.each([
    ['CPF', '00000000191'],
    ['CNPJ', '12345678'],
    ['CNPJ', '12345678000276'],
    ['ORGAO', 'Ç'.repeat(40)],
    ['ORGAO', 'x'],
  ])('takes the %s %s', async (destinatarioTipo, destinatarioId) => {
    const admin = await open().server.as('admin');
    expect((await admin.call('POST', PATH, { ...EVENT, destinatarioTipo, destinatarioId })).status).toBe(200);
  });

  test('accepts a CNPJ with letters only if the profile does', async () => {
    const server = await openApp({ settings: { perfil: 'portal' } });
    const admin = await server.as('admin');
    const status = async (destinatarioId: string) =>
      (await admin.call('POST', PATH, { ...EVENT, destinatarioId })).status;
    expect(await status('12ABC678')).toBe(200);
    expect(await status('12ABC678000A95')).toBe(200);
    expect(await status('12abc678')).toBe(400);
    expect(await status('12ABC6780001AA')).toBe(400);
    await server.close();
  });

  test.each([[{ a: 'ç"\\', b: [1, 2.5, null] }], [[]], ['texto'], [0], [false]])(
    'accepts the body %j unchanged',
    async (conteudo) => {
      const { server } = open();
      await (await server.as('admin')).call('POST', PATH, { ...EVENT, conteudo });
      const stored = server.app.core.db.prepare('SELECT conteudo FROM event').pluck().get();
      expect(stored).toBe(JSON.stringify(conteudo));
    },
  );

  test('is listed newest first, by event and limit', async () => {
    const { server } = open();
    const admin = await server.as('admin');
    for (const evento of ['a', 'b', 'a']) await admin.call('POST', PATH, { ...EVENT, evento });
    const ids = async (query: string) =>
      (await admin.call('GET', PATH + query)).json.map(({ id }: { id: number }) => id);
    expect(await ids('')).toEqual([3, 2, 1]);
    expect(await ids('?evento=a')).toEqual([3, 1]);
    expect(await ids('?evento=a&limit=1')).toEqual([3]);
    expect(await ids('?evento=c')).toEqual([]);
    expect((await admin.call('GET', `${PATH}?limit=1`)).json).toEqual([
      {
        ...EVENT,
        id: 3,
        evento: 'a',
        destinatarioId: '12345678000195',
        publishedAt: '2026-01-15T09:00:00.000-03:00',
        deliveries: 0,
      },
    ]);
  });
});

describe('the known events', () => {
  /** The names in contract section 10. */
  const NAMED =
    'catp-prod-desativado catp-prazo catp-remoto-divergente catp-proposta catp-prod-alterado catp-oper-alterado catp-vinc-alterado duex-historico dimp-diag-import dimp-registro-import dimp-retifica-import dimp-situacao-import dimp-icms-import cctr-carga-liberada cctr-carga-bloqueio cctr-canal-vermelho cctr-resultado-recepcao ccti-bloq-crt ccti-desbloq-crt ccti-vinc-docto-saida talp-altsit-lpco-anu talp-inclusao-exig talp-cancela-exig talp-analise-prorrog talp-analise-retif talp-analise-compat talp-msg-lpco-anu talp-retif-automat talp-falha-pagamento'.split(
      ' ',
    );

  /** Only their publication is known, not their content. */
  const INVENTED = ['cctr-carga-liberada', 'cctr-carga-bloqueio', 'cctr-canal-vermelho'];

  test('are those of the contract, each once', () => {
    expect(EVENT_TYPES.map(({ evento }) => evento)).toEqual(NAMED);
  });

  test('are listed for all who may subscribe, each with a sample that is marked as invented', async () => {
    const server = await openApp();
    const reply = await (await server.as('demo')).call('GET', '/appliance/api/event-types');
    expect(reply.json).toHaveLength(NAMED.length);
    for (const type of reply.json) {
      expect(type).toEqual({
        evento: expect.stringMatching(/^[!-~]{1,40}$/),
        title: expect.stringMatching(/./),
        automatic: type.evento.startsWith('catp-'),
        invented: INVENTED.includes(type.evento) ? 'form and values' : 'values',
        sample: expect.any(Object),
      });
    }
    await server.close();
  });

  test('samples of the catalogue have the members of its published events', async () => {
    const server = await openApp();
    const demo = await server.as('demo');
    await keepEvents(server, 'catp-prod-alterado');
    await demo.call('POST', '/catp/api/ext/produto/12345678', {
      denominacao: 'x',
      modalidade: 'IMPORTACAO',
      ncm: '39269090',
    });
    const [published] = (await (await server.as('admin')).call('GET', PATH)).json;
    const sample = EVENT_TYPES.find(({ evento }) => evento === published.evento)?.sample;
    expect(Object.keys(published.conteudo).sort()).toEqual(Object.keys(sample ?? {}).sort());
    await server.close();
  });

  test('samples of other modules have the public forms, typed as known receivers read them', () => {
    const text = expect.any(String);
    const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-0300$/);
    const licence = { numeroLPCO: text, codigoModelo: text, cpfCnpj: [text], dataEvento: moment };
    const road = [{ numeroCarga: text, dataEmissao: text, motivoBloqueio: text, tipoBloqueio: text }];
    const forms: Readonly<Record<string, object>> = {
      'duex-historico': {
        tipo: text,
        descricao: text,
        data: expect.stringMatching(/^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d:\d{3}$/),
        due: { numero: text, ruc: text },
      },
      'dimp-registro-import': {
        registroIniciado: expect.any(Boolean),
        code: expect.stringMatching(/^DIMP-IN\d{4}$/),
        message: text,
        identificacao: { numero: text, versao: '1' },
        niImportador: text,
        situacaoDuimp: text,
        evento: ['Solicitação de Registro'],
        dataEvento: moment,
        diagnostico: {
          situacao: text,
          dataGeracao: moment,
          resultado: [
            { tipo: text, item: text, mensagem: { codigo: text, texto: text }, sistemaOrigem: text },
          ],
        },
        canal: expect.stringMatching(/^(VERDE|AMARELO|VERMELHO|CINZA)$/),
        linkConsulta: { method: 'GET', url: text },
      },
      'cctr-resultado-recepcao': { protocolo: text, situacao: 'CONCLUÍDO COM SUCESSO', data: moment },
      'ccti-bloq-crt': road,
      'ccti-desbloq-crt': road,
      'ccti-vinc-docto-saida': {
        tipoDocumentoSaida: text,
        numeroDocumentoSaida: text,
        identificacaoCarga: text,
        dataEmissaoCarga: text,
        cnpjResponsavelArquivoCarga: text,
        dataHoraVinculacao: moment,
      },
      'talp-altsit-lpco-anu': {
        ...licence,
        novaSituacao: { id: 'DEFERIDO', descricao: text },
        justificativa: text,
      },
      'talp-inclusao-exig': { ...licence, exigencia: text },
      'talp-cancela-exig': { ...licence, exigencia: text },
    };
    for (const { evento, sample } of EVENT_TYPES) {
      if (evento.startsWith('catp-') || INVENTED.includes(evento)) continue;
      const form = evento.startsWith('dimp-')
        ? {
            ...forms['dimp-registro-import'],
            ...(evento === 'dimp-diag-import' && { evento: ['Solicitação de Diagnóstico'] }),
          }
        : (forms[evento] ?? licence);
      expect([evento, sample]).toEqual([evento, form]);
    }
  });
});
