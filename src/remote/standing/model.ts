/** Standing of a record at each remote in response form (contract section 18, Who is who). */
import { RemoteName, STANDING_MEMBERS } from '../../catalogue/model.ts';
import { form, idOf, nullable, text } from '../../validation/forms.ts';

export const RecordAtRemote = form('RecordAtRemote', 'Onde um registro está em um remoto.', {
  remote: RemoteName,
  ...STANDING_MEMBERS,
  reason: nullable(
    text(
      'Por quê, onde o estado sozinho não diz; de um recusado, o que o remoto disse.',
      'rascunho; ative-o antes',
    ),
  ),
  comparison: nullable(idOf('A comparação de que se sabe.')),
  run: nullable(idOf('O envio que o deixou assim; null: nenhum, desde essa comparação.')),
});
export type RecordAtRemote = typeof RecordAtRemote.static;
