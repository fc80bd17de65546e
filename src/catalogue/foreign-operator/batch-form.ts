/** An item of a batch as the document shows it (contract sections 4 to 6). */
import { Type as t } from '@sinclair/typebox';
import { itemOptions } from '../model.ts';
import { OperatorCodigo, type OperatorSituacao, type operatorSchemas } from './model.ts';

/** What the document shows of an item: each is judged by the schema that its `situacao` chooses. */
export function operatorBatchItem({ Request, batch }: ReturnType<typeof operatorSchemas>) {
  const { Whole, Deactivation } = batch;
  const [content] = Request.examples as object[];
  const only = (situacao: OperatorSituacao) =>
    t.Unsafe<OperatorSituacao>({
      type: 'string',
      enum: [situacao],
      'x-any-case': true,
      description: `Sempre ${situacao} nesta forma.`,
    });
  const example = { seq: 1, cpfCnpjRaiz: '12345678', codigoPais: 'DE' };
  return t.Union(
    [
      t.Object(
        { ...Whole.properties, situacao: t.Optional(only('ATIVADO')) },
        {
          ...itemOptions,
          'x-form': 'ForeignOperatorItem',
          description:
            'Sem codigo inclui; com codigo faz nova versão; com codigo e versao retifica. Com dataReferencia, vale desde esse dia.',
          examples: [{ ...example, ...content }],
        },
      ),
      t.Object(
        { ...Deactivation.properties, codigo: OperatorCodigo, situacao: only('DESATIVADO') },
        {
          ...itemOptions,
          'x-form': 'ForeignOperatorDeactivationItem',
          description: 'Desativa a versão vigente, ou a de versao; o conteúdo é ignorado.',
          examples: [{ ...example, codigo: 'OPE_1', situacao: 'DESATIVADO' }],
        },
      ),
    ],
    { 'x-form': 'ForeignOperatorBatchItem', description: 'Um item de um lote de operadores estrangeiros.' },
  );
}
