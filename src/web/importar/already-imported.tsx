import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import type { ImportProgress } from '../api/answers.ts';
import { Confirm } from '../ui/dialog.tsx';
import { withCount, moment } from '../words.ts';
import { isOver } from './kinds.ts';

/** Asks before the same content is imported again. */
export const AlreadyImported = ({
  before,
  onConfirm,
  onClose,
}: {
  /** The earlier import of that content. */
  readonly before: ImportProgress;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}): JSX.Element => (
  <Confirm
    title="Este arquivo já foi importado"
    action="Importar de novo"
    onConfirm={onConfirm}
    onClose={onClose}
  >
    <p>
      {isOver(before) ? (
        <>
          O mesmo conteúdo foi importado em {moment(before.createdAt)} (importação {before.id}:{' '}
          {withCount(before.created, 'incluído', 'incluídos')},{' '}
          {withCount(before.newVersion, 'nova versão', 'novas versões')}).
        </>
      ) : (
        <>O mesmo conteúdo está sendo importado agora (importação {before.id}).</>
      )}{' '}
      Importar de novo pode incluir os mesmos registros outra vez.
    </p>
    <p>
      <Link href={`/importar/${before.id}`}>Ver a importação {before.id}</Link>
    </p>
  </Confirm>
);
