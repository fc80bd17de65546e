/** The two bodies of a refusal, for the document (contract sections 2 and 3). */
import type { TSchema } from '@sinclair/typebox';
import { choice, form, nullable, text, integerForm } from '../validation/forms.ts';
import { t } from '../validation/type.ts';

const MESSAGE = t.String({ description: 'O que foi recebido, o que é aceito e o que fazer, em português.' });
const CODE = text('Código do erro.', 'CATP-ER0422');
const SEVERITY = choice<'ERROR'>(['ERROR'], 'Sempre ERROR.');
const TAG = text('Identifica a requisição; está também no registro do servidor.', '[CATP-K3J9X2M4QA]', {
  pattern: '^\\[[A-Z]{4}-[A-Z0-9]{10}\\]$',
});
const FIELD = nullable(
  text('Membro do registro em que está o problema, cabeçalho ou parâmetro.', 'atributos'),
);
const PATH = nullable(
  text('Ponteiro RFC 6901 no corpo, ou nome do cabeçalho ou parâmetro.', '/atributos/2/valor'),
);

const problem = { message: MESSAGE, code: CODE, field: FIELD, path: PATH };

const Problem = form('Problem', 'Um dos problemas de uma requisição recusada.', problem);

export const About = form('About', 'De que trata o problema, em dados.', {
  attribute: t.Optional(text('Código do atributo ou subatributo.', 'ATT_90001')),
  suggestion: t.Optional(text('O nome ou valor aceito mais próximo do recebido.', '01')),
  twin: t.Optional(integerForm('Código do produto idêntico.', 1)),
  missing: t.Optional(
    text('O que informar em um membro obrigatório ausente.', 'um texto de 1 a 35 caracteres'),
  ),
});

/** The form in our own operations. */
export const DetailedProblem = form('DetailedProblem', 'Um dos problemas, e de que ele trata.', {
  ...problem,
  about: t.Optional(About),
});

const ErrorInfo = form('ErrorInfo', 'De onde veio a recusa.', {
  mnemonico: choice<string>(['CATP', 'PLAT', 'CADA', 'APPL'], 'Módulo do caminho.'),
  ambiente: text('Ambiente da instância.', 'validacao'),
  url: text('Caminho da requisição.', '/catp/api/ext/produto/12345678'),
  trackerId: text('As dez letras e algarismos de tag.', 'K3J9X2M4QA', { pattern: '^[A-Z0-9]{10}$' }),
});

const bodyWith = <T extends TSchema>(name: string, one: T) =>
  form(name, 'O corpo de toda resposta que não é de sucesso.', {
    ...problem,
    tag: TAG,
    date: text('Horário de Brasília, sem fuso.', '2026-11-20T10:31:07'),
    status: integerForm('O status HTTP da resposta.', 422, { minimum: 400, maximum: 599 }),
    severity: SEVERITY,
    detail: t.Array(one, { description: 'Todos os problemas encontrados.' }),
    info: ErrorInfo,
  });

export const ErrorBody = bodyWith('ErrorBody', Problem);
export const DetailedErrorBody = bodyWith('DetailedErrorBody', DetailedProblem);

export const ShortErrorBody = form('ShortErrorBody', 'O corpo de uma autenticação recusada.', {
  status: t.Unsafe<422>({ type: 'integer', enum: [422], description: 'O status HTTP da resposta.' }),
  message: MESSAGE,
  code: text('Código do erro.', 'PLAT-ER8008'),
  tag: TAG,
  severity: SEVERITY,
});
