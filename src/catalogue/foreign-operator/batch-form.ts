/** Schema of an item of an operator batch, for the API document. */
import { Type as t } from '@sinclair/typebox';
import { batchItem } from '../versioned/batch-form.ts';
import { OperatorCodigo, type operatorSchemas } from './model.ts';

export function operatorBatchItem({ Request, batch }: ReturnType<typeof operatorSchemas>) {
  const { Whole, Deactivation } = batch;
  const [content] = Request.examples as object[];
  return batchItem('ForeignOperatorBatchItem', 'Um item de um lote de operadores estrangeiros.', [
    {
      schema: Whole,
      situacao: 'ATIVADO',
      form: 'ForeignOperatorItem',
      description:
        'Sem codigo inclui; com codigo faz nova versão; com codigo e versao retifica. Com dataReferencia, vale desde esse dia.',
      example: { codigoPais: 'DE', ...content },
    },
    {
      schema: t.Object({ ...Deactivation.properties, codigo: OperatorCodigo }),
      situacao: 'DESATIVADO',
      form: 'ForeignOperatorDeactivationItem',
      description: 'Desativa a versão vigente, ou a de versao; o conteúdo é ignorado.',
      example: { codigoPais: 'DE', codigo: 'OPE_1' },
    },
  ]);
}
