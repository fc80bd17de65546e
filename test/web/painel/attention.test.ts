/** The problems of the instance on the panel, and their ages. */
import { describe, expect, test } from 'bun:test';
import type { CatalogueSummary, Finding } from '../../../src/web/api/answers.ts';
import { daysAgoInWords } from '../../../src/web/painel/age.ts';
import { isEmpty } from '../../../src/web/painel/empty.ts';
import { instanceAttention } from '../../../src/web/painel/instance-attention.ts';

const NOBODY: CatalogueSummary = {
  cpfCnpjRaiz: '12345678',
  products: { ATIVADO: 0, DESATIVADO: 0, RASCUNHO: 0, deactivatedBySystem: 0 },
  foreignOperators: { ATIVADO: 0, DESATIVADO: 0 },
  manufacturerLinks: 0,
  chapters: [],
  tables: [],
};
describe('the problems of the instance', () => {
  test('are empty without data', () => {
    expect(instanceAttention({ isAdministrator: true })).toEqual([]);
  });

  test('are a full disk, an expired certificate, a folder in memory and old backups, as the doctor reported them', () => {
    const finding = (check: string, level: Finding['level'], message: string): Finding => ({
      check,
      level,
      message,
      remedy: level === 'ok' ? null : 'Faça isto.',
    });
    const findings = [
      finding('integrity', 'ok', 'O banco de dados está inteiro.'),
      finding('backup', 'warning', 'Nenhuma cópia.'),
      finding('attribute-table', 'notice', 'Nenhuma tabela.'),
      finding('durability', 'error', 'A pasta está em memória.'),
      finding('disk', 'error', 'O disco tem só 1 MiB.'),
      finding('tls', 'error', 'O certificado venceu.'),
    ];
    const matters = instanceAttention({ findings, isAdministrator: true });
    expect(matters.map(({ tone, message, place }) => [tone, message, place?.action])).toEqual([
      ['error', 'A pasta está em memória. Faça isto.', 'Ver diagnóstico'],
      ['error', 'O disco tem só 1 MiB. Faça isto.', 'Ver diagnóstico'],
      ['error', 'O certificado venceu. Faça isto.', 'Ver diagnóstico'],
      ['warning', 'Nenhuma cópia. Faça isto.', 'Fazer cópia'],
    ]);
  });

  test('include a failing receiver with its deliveries', () => {
    const failing = [
      {
        subscriptionId: 7,
        evento: 'e',
        endpoint: 'https://a/',
        since: '2026-11-20T10:00:00.000-03:00',
        deletesOn: '2026-12-20',
        daysLeft: 30,
      },
    ];
    const deliveries = { days: [], hours: [], pending: 0, failing };
    expect(instanceAttention({ deliveries, isAdministrator: true })).toMatchObject([
      {
        message: 'A assinatura 7 falha desde 20/11/2026: e, para https://a/',
        place: { href: '/notificacoes?aba=entregas&subscriptionId=7' },
      },
    ]);
  });

  test('include refused writes with the reason for every user, and with the place for users who can inspect it', () => {
    const matters = (isAdministrator: boolean) =>
      instanceAttention({ refusal: 'O disco está cheio.', isAdministrator });
    expect(matters(false)).toEqual([
      {
        key: 'readiness',
        tone: 'error',
        message: 'O serviço não aceita gravações agora. O disco está cheio.',
      },
    ]);
    expect(matters(true)[0]?.place?.href).toBe('/administracao?aba=diagnostico');
  });
});

test('a catalogue is empty without products and operators', () => {
  expect(isEmpty(NOBODY)).toBe(true);
  expect(isEmpty({ ...NOBODY, products: { ...NOBODY.products, RASCUNHO: 1 } })).toBe(false);
  expect(isEmpty({ ...NOBODY, foreignOperators: { ATIVADO: 0, DESATIVADO: 1 } })).toBe(false);
});

test('ages are shown in days', () => {
  const of = (today: string): string => daysAgoInWords('2026-11-20T23:59:00.000-03:00', today);
  expect(['2026-11-19', '2026-11-20', '2026-11-21', '2026-11-23'].map(of)).toEqual([
    ...['hoje', 'hoje', 'ontem', 'há 3 dias'],
  ]);
});
