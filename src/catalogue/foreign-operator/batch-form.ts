/** Schema of an item of an operator batch, for the API document. */
import { batchItem } from '../versioned/batch-form.ts';
import type { operatorSchemas } from './model.ts';

export function operatorBatchItem({ Request, batch }: ReturnType<typeof operatorSchemas>) {
  const [content] = Request.examples as object[];
  return batchItem(batch.Complete, {
    form: 'ForeignOperatorItem',
    description:
      'Um item de um lote de operadores estrangeiros. ATIVADO, ou sem situacao, exige nome, logradouro e nomeCidade: sem codigo inclui; com codigo faz nova versão; com codigo e versao retifica. Com dataReferencia, vale desde esse dia. DESATIVADO exige codigo, e desativa a versão vigente, ou a de versao; o conteúdo é ignorado.',
    required: ['seq', 'cpfCnpjRaiz', 'codigoPais'],
    examples: [
      { codigoPais: 'DE', ...content },
      { situacao: 'DESATIVADO', codigoPais: 'DE', codigo: 'OPE_1' },
    ],
  });
}
