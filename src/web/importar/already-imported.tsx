import { Link } from 'wouter-preact';
import type { ImportProgress } from '../api/answers.ts';
import { Confirm } from '../ui/dialog.tsx';
import { withCount, momentText } from '../words.ts';
import { isOver } from './kinds.ts';

/** Asks before the same content is imported again. */
export const AlreadyImported = ({
  earlierImport,
  onConfirm,
  onClose,
}: {
  /** The earlier import of that content. */
  readonly earlierImport: ImportProgress;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) => (
  <Confirm
    title="Este arquivo já foi importado"
    action="Importar de novo"
    onConfirm={onConfirm}
    onClose={onClose}
  >
    <p>
      {isOver(earlierImport) ? (
        <>
          O mesmo conteúdo foi importado em {momentText(earlierImport.createdAt)} (importação{' '}
          {earlierImport.id}: {withCount(earlierImport.created, 'incluído', 'incluídos')},{' '}
          {withCount(earlierImport.newVersion, 'nova versão', 'novas versões')}).
        </>
      ) : (
        <>O mesmo conteúdo está sendo importado agora (importação {earlierImport.id}).</>
      )}{' '}
      Importar de novo pode incluir os mesmos registros outra vez.
    </p>
    <p>
      <Link href={`/importar/${earlierImport.id}`}>Ver a importação {earlierImport.id}</Link>
    </p>
  </Confirm>
);
