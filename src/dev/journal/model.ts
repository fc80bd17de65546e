/** Schemas of the journal in the API document (contract section 15). */
import { DetailedProblem } from '../../http/error-forms.ts';
import { momentOf } from '../../validation/moment.ts';
import { form, nullable, text, integerForm } from '../../validation/forms.ts';
import { t } from '../../validation/type.ts';

const row = {
  id: integerForm('Número da requisição, em ordem de resposta.', 1),
  at: momentOf('Quando chegou, pelo relógio da instância.'),
  arrivedAt: momentOf('Quando chegou, pelo relógio desta máquina, que um relógio de teste não muda.'),
  method: text('Método HTTP.', 'POST'),
  path: text('Caminho, sem a consulta.', '/catp/api/ext/produto/12345678'),
  query: t.Unsafe<Record<string, string | string[]>>({
    type: 'object',
    // A union of text and list appears only in the description: a standard generator turns it into Java code
    // that does not compile.
    additionalProperties: true,
    description: 'Os parâmetros de consulta: cada um um texto, e um repetido uma lista de textos.',
    examples: [{}],
  }),
  operation: nullable(
    text('operationId; null onde o caminho ou o método não é de nenhuma.', 'includeProduct'),
  ),
  status: nullable(integerForm('Status da resposta; null onde não houve nenhuma.', 422)),
  ms: t.Number({ description: 'Duração até a resposta.', examples: [3.2] }),
  tag: nullable(text('A tag de uma recusa, como na resposta; null em um sucesso.', '[CATP-K3J9X2M4QA]')),
  user: nullable(text('Documento de quem chamou; null sem autenticação.', '00000000191')),
  notices: t.Array(
    form('LeftOut', 'Um membro desconhecido que foi deixado de lado, ou o motivo de uma entrada recusada.', {
      path: nullable(text('Ponteiro RFC 6901 dentro do corpo; null de um motivo.', '/unidade')),
      message: text(
        'O que foi deixado de lado, ou o motivo.',
        'Membro desconhecido "unidade"; foi deixado de lado.',
      ),
    }),
    {
      description:
        'Os membros desconhecidos deixados de lado, com corpo.desconhecidos = anotar, e o motivo de uma entrada recusada.',
    },
  ),
  fault: nullable(text('A falha simulada que agiu sobre a requisição; null sem nenhuma.', 'delay')),
};

export const LoggedRequest = form('LoggedRequest', 'Uma requisição atendida.', {
  ...row,
  problems: t.Array(DetailedProblem, { description: 'Os motivos da recusa; vazio em um sucesso.' }),
});
export type LoggedRequest = typeof LoggedRequest.static;

const AdvisedProblem = form('AdvisedProblem', 'Um problema, e o que teria sido válido.', {
  ...DetailedProblem.properties,
  suggestion: nullable(
    text('O que teria sido válido, em palavras; null onde não se sabe.', 'Informe "ATIVADO".'),
  ),
  valid: t.Unknown({
    description: 'O valor válido mais próximo do recebido; null onde não se sabe.',
    examples: ['ATIVADO'],
  }),
});

const Headers = (description: string) =>
  t.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: `${description} Segredos aparecem como ***.`,
    examples: [{ 'content-type': 'application/json' }],
  });
const Body = (description: string) =>
  nullable(text(`${description} Até 64 KiB; null onde não houve. Segredos aparecem como ***.`, '{}'));

export const RequestDetail = form('RequestDetail', 'Uma requisição e sua resposta, inteiras.', {
  ...row,
  problems: t.Array(AdvisedProblem, { description: 'Os motivos da recusa, e o que teria sido válido.' }),
  requestHeaders: Headers('Cabeçalhos recebidos.'),
  requestBody: Body('O corpo recebido.'),
  responseHeaders: Headers('Cabeçalhos da resposta.'),
  responseBody: Body('O corpo da resposta.'),
  truncated: t.Boolean({ description: 'Se um dos corpos foi cortado em 64 KiB.' }),
});
export type RequestDetail = typeof RequestDetail.static;
