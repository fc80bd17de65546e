/** Brings in a table: the public file of attributes by NCM. Loading changes nothing yet. */
import type { JSX } from 'preact';
import type { LoadedAttributeTable } from '../api/answers.ts';
import { LoadCard as FileCard } from '../ui/load-card.tsx';
import { toast } from '../ui/toast.tsx';
import { counted } from '../words.ts';
import { TABLES } from './words.ts';

export const LoadCard = ({
  onLoaded,
}: {
  readonly onLoaded: (table: LoadedAttributeTable) => void;
}): JSX.Element => (
  <FileCard<LoadedAttributeTable>
    title="Carregar uma tabela"
    drop="Solte aqui o arquivo público de atributos por NCM (JSON ou ZIP)"
    about="O arquivo é conferido por inteiro antes de ser guardado. Carregar não muda nada: depois se vê o que mudaria, e então se põe a tabela em vigor."
    path={TABLES}
    onLoaded={(loaded) => {
      toast(
        `Tabela ${loaded.versao} carregada: ${counted(loaded.ncms, 'NCM', 'NCMs')}. Ela ainda não está em vigor.`,
      );
      onLoaded(loaded);
    }}
  />
);
