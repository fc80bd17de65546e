/** The report as the document shows it (contract section 21). */
import { Type as t } from '@sinclair/typebox';
import { choice, form, nullable, text, whole } from '../../validation/forms.ts';
import { momentOf } from '../../validation/moment.ts';
import { RULES, RULE_NAMES } from './rules.ts';

export const REQUESTS_MAX = 10;

const ConformityFinding = form('ConformityFinding', 'Uma regra que o serviço público teria aplicado.', {
  rule: choice(RULE_NAMES, 'A regra.', 'tamanho'),
  title: text('O que foi encontrado.', RULES.tamanho),
  remedy: text(
    'A página da ajuda que diz por quê, o que o serviço público responde e como consertar o programa.',
    '/ajuda/conformidade#tamanho',
  ),
  count: whole('Quantas vezes; de um lote, item por item.', 3, { minimum: 1 }),
  users: t.Array(text('Documento.', '00000000191'), {
    description: 'De quem; vazia onde ninguém entrou (download público).',
  }),
  firstAt: momentOf('Quando, pela primeira vez.'),
  lastAt: momentOf('Quando, pela última vez.'),
  until: nullable(
    momentOf('De limite-horario: quando o bloqueio mais longo teria terminado; null nas demais.'),
  ),
  requests: t.Array(whole('Número da requisição no diário.', 7, { minimum: 1 }), {
    description: `As requisições, no máximo as últimas ${REQUESTS_MAX}; o diário guarda as últimas 1000.`,
  }),
});
export type ConformityFinding = typeof ConformityFinding.static;

export const ConformityReport = form(
  'ConformityReport',
  'O que o serviço público teria recusado, ou estranhado.',
  { findings: t.Array(ConformityFinding, { description: 'Vazia onde nada foi encontrado.' }) },
);
export type ConformityReport = typeof ConformityReport.static;
