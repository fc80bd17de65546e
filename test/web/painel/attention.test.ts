/** What the panel says needs somebody, and how old something is. */
import { describe, expect, test } from 'bun:test';
import type { CatalogueSummary, Finding, ImportProgress } from '../../../src/web/api/answers.ts';
import { type Known, ageInWords, isEmpty, mattersOf } from '../../../src/web/painel/attention.ts';

const NOBODY: CatalogueSummary = {
  cpfCnpjRaiz: '12345678',
  products: { ATIVADO: 0, DESATIVADO: 0, RASCUNHO: 0, deactivatedBySystem: 0 },
  foreignOperators: { ATIVADO: 0, DESATIVADO: 0 },
  manufacturerLinks: 0,
  ...{ chapters: [], tables: [] },
};
const JOB: ImportProgress = {
  ...{ id: 3, simular: false, fileName: 'a.json', state: 'done', processed: 5, failed: 0 },
  ...{
    tipo: 'produto',
    modo: 'lote',
    kind: 'arquivo',
    changesMany: false,
    corrects: null,
    correctedBy: null,
    undoes: null,
    undoneBy: null,
    notices: [],
    fromSheet: false,
    sha256: 'a'.repeat(64),
    error: null,
    total: 5,
  },
  ...{ created: 5, newVersion: 0, deactivated: 0, unchanged: 0, failedNotKept: 0 },
  ...{ resultsForgotten: false, cellsDropped: false },
  ...{
    madeBy: '00000000191',
    cpfCnpjRaiz: '12345678',
    createdAt: '2026-11-20T10:00:00.000-03:00',
    finishedAt: null,
  },
};
const titles = (known: Partial<Known>): readonly string[] =>
  mattersOf({ isAdministrator: false, ...known }).map(({ title }) => title);

describe('what needs attention', () => {
  test('is nothing while nothing is known, or all is well', () => {
    expect(titles({})).toEqual([]);
    expect(titles({ summary: NOBODY, imports: [JOB] })).toEqual([]);
  });

  test('is what lacks what will be asked, with the way to mend it', () => {
    const nothing = { days: [], overdue: 0, total: 0 };
    expect(titles({ summary: NOBODY, deadlines: nothing })).toEqual([]);
    const deadlines = { days: [{ on: '2026-12-01', products: 1420 }], overdue: 0, total: 1420 };
    const [matter] = mattersOf({ summary: NOBODY, deadlines, isAdministrator: false });
    expect(matter).toMatchObject({
      title: '1.420 produtos não têm o que vai ser exigido em até 30 dias',
      place: { href: '/atributos?aba=corrigir&cpfCnpjRaiz=12345678&fonte=due' },
    });
  });

  test('is told the gravest first, each with its link', () => {
    const products = { ATIVADO: 1, DESATIVADO: 2, RASCUNHO: 1, deactivatedBySystem: 2 };
    const failing = [
      {
        ...{ subscriptionId: 7, evento: 'e', endpoint: 'https://a/', since: '2026-11-20T10:00:00.000-03:00' },
        ...{ deletesOn: '2026-12-20', daysLeft: 30 },
      },
    ];
    const matters = mattersOf({
      ...{ summary: { ...NOBODY, products }, imports: [{ ...JOB, failed: 2 }], isAdministrator: false },
      deliveries: { days: [], hours: [], pending: 0, failing },
    });
    expect(matters.map(({ title, place }) => [title, place?.href])).toEqual([
      ['A assinatura 7 falha desde 20/11/2026: e', '/notificacoes?aba=entregas&subscriptionId=7'],
      ['2 produtos desativados pelo sistema', '/atributos?aba=corrigir&cpfCnpjRaiz=12345678'],
      ['a.json: 2 com erro na importação', '/importar/3'],
      ['1 rascunho por terminar', '/produtos?cpfCnpjRaiz=12345678&situacao=RASCUNHO'],
    ]);
  });

  test('a file that could not be read is one, a dry run and a cancelled import are none', () => {
    expect(titles({ imports: [{ ...JOB, state: 'failed' }] })).toEqual(['a.json não pôde ser lido']);
    expect(titles({ imports: [{ ...JOB, simular: true, failed: 2 }] })).toEqual([]);
    expect(titles({ imports: [{ ...JOB, state: 'cancelled', failed: 2 }] })).toEqual([]);
  });

  test('what was taken back asks for nothing more; a taking back that could not do all says what to do', () => {
    const failed = { ...JOB, failed: 2 };
    const undoing = { ...JOB, id: 4, undoes: 3, created: 0, deactivated: 5 };
    expect(titles({ imports: [undoing, failed] })).toEqual([]);
    expect(titles({ imports: [{ ...undoing, id: 5, undoes: 4 }, undoing, failed] })).toHaveLength(1);
    for (const nothing of [{ simular: true }, { deactivated: 0 }, { state: 'cancelled' as const }])
      expect(titles({ imports: [{ ...undoing, ...nothing }, failed] })).toHaveLength(1);
    const [matter] = mattersOf({ imports: [{ ...undoing, failed: 1 }], isAdministrator: false });
    expect(matter?.advice).not.toContain('importe');
    expect(matter?.advice).toContain('desfeito');
  });

  test('who may load a table is told to, others whom to ask', () => {
    const readiness = {
      ...{ ready: true, version: '1', ambiente: 'validacao', perfil: 'especificacao', attributeTable: null },
      ...{ notices: [], backup: { last: null, drill: null }, replica: null },
    };
    const advice = (isAdministrator: boolean): string =>
      mattersOf({ readiness, isAdministrator })[0]?.advice ?? '';
    expect(advice(true)).toContain('Carregue');
    expect(advice(false)).toContain('Peça ao administrador');
    const attributeTable = {
      versao: '1',
      since: '2026-01-15',
      loadedAt: '2026-01-15T09:00:00',
      origin: null,
    };
    expect(titles({ readiness: { ...readiness, attributeTable } })).toEqual([]);
  });

  test('a full disk, an expired certificate, a folder in memory and old copies stand there as the doctor found them', () => {
    const finding = (check: string, level: Finding['level'], message: string): Finding => ({
      ...{ check, level, message, remedy: level === 'ok' ? null : 'Faça isto.' },
    });
    const findings = [
      finding('integrity', 'ok', 'O banco de dados está inteiro.'),
      finding('backup', 'warning', 'Nenhuma cópia.'),
      finding('attribute-table', 'notice', 'Nenhuma tabela.'),
      finding('durability', 'error', 'A pasta está em memória.'),
      finding('disk', 'error', 'O disco tem só 1 MiB.'),
      finding('tls', 'error', 'O certificado venceu.'),
    ];
    const matters = mattersOf({ findings, isAdministrator: true });
    expect(matters.map(({ tone, title, advice, place }) => [tone, title, advice, place?.action])).toEqual([
      ['bad', 'A pasta está em memória.', 'Faça isto.', 'Ver diagnóstico'],
      ['bad', 'O disco tem só 1 MiB.', 'Faça isto.', 'Ver diagnóstico'],
      ['bad', 'O certificado venceu.', 'Faça isto.', 'Ver diagnóstico'],
      ['warn', 'Nenhuma cópia.', 'Faça isto.', 'Fazer cópia'],
    ]);
  });

  test('that writes are refused everybody is told, with the reason; who can look into it, where', () => {
    const known = { refusal: 'O disco está cheio.', summary: NOBODY };
    const told = (isAdministrator: boolean) => mattersOf({ ...known, isAdministrator });
    expect(told(false)).toEqual([
      {
        ...{ key: 'readiness', tone: 'bad', title: 'O serviço não aceita gravações agora' },
        advice: 'O disco está cheio.',
      },
    ]);
    expect(told(true)[0]?.place?.href).toBe('/administracao?aba=diagnostico');
  });
});

test('a catalogue is empty without products and operators', () => {
  expect(isEmpty(NOBODY)).toBe(true);
  expect(isEmpty({ ...NOBODY, products: { ...NOBODY.products, RASCUNHO: 1 } })).toBe(false);
  expect(isEmpty({ ...NOBODY, foreignOperators: { ATIVADO: 0, DESATIVADO: 1 } })).toBe(false);
});

test('ages are told by days', () => {
  const of = (today: string): string => ageInWords('2026-11-20T23:59:00.000-03:00', today);
  expect(['2026-11-19', '2026-11-20', '2026-11-21', '2026-11-23'].map(of)).toEqual([
    ...['hoje', 'hoje', 'ontem', 'há 3 dias'],
  ]);
});
