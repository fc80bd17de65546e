/** Asks before links are taken away; of many, shows what became of those that were refused. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useOneAtATime } from '../api/use-one-at-a-time.ts';
import { Notice } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Progress } from '../ui/progress.tsx';
import { toast } from '../ui/toast.tsx';
import { counted } from '../words.ts';
import type { LinkOutcome } from './batch.ts';
import { keyOf, type ListedLink, makerText } from './model.ts';
import { LinkResults } from './results.tsx';
import { sendAll } from './send.ts';

const NAMED_MOST = 5;

export function Unlinking({
  cpfCnpjRaiz,
  links,
  onDone,
  onClose,
}: {
  readonly cpfCnpjRaiz: string;
  readonly links: readonly ListedLink[];
  /** Some, or all, are gone. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}): JSX.Element {
  const [done, setDone] = useState<number>();
  const [failed, setFailed] = useState<readonly LinkOutcome<ListedLink>[]>();
  const confirm = useOneAtATime()(async (): Promise<void> => {
    setDone(0);
    const outcomes = await sendAll(links, { cpfCnpjRaiz, vincular: false }, setDone);
    setDone(undefined);
    const refused = outcomes.filter(({ errors }) => errors.length > 0);
    if (refused.length > 0) return setFailed(refused);
    toast(`${counted(links.length, 'vínculo desfeito', 'vínculos desfeitos')}.`);
    onDone();
  });
  if (failed !== undefined)
    return (
      <Dialog wide title="Nem todos foram desvinculados" onClose={onDone}>
        <Notice tone="bad">
          {counted(failed.length, 'vínculo continua', 'vínculos continuam')}, pelo motivo ao lado de cada um.
        </Notice>
        <LinkResults outcomes={failed} doneText="Desvinculado" />
        <Actions>
          <Button kind="primary" onPress={onDone}>
            Fechar
          </Button>
        </Actions>
      </Dialog>
    );
  return (
    <Confirm
      title={links.length === 1 ? 'Desvincular?' : `Desvincular ${links.length}?`}
      action="Desvincular"
      danger
      busy={done !== undefined}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <ul class="plain">
        {links.slice(0, NAMED_MOST).map((link) => (
          <li key={keyOf(link)}>
            <code>{link.codigoProduto}</code> <bdi>{link.denominacao}</bdi>: <bdi>{makerText(link)}</bdi> (
            {link.codigoPais})
          </li>
        ))}
      </ul>
      {links.length > NAMED_MOST && <p>e mais {links.length - NAMED_MOST}.</p>}
      <p>Deixam de valer no fim de hoje. A consulta por data continua a mostrar como estavam antes.</p>
      {done !== undefined && links.length > 1 && (
        <Progress label="Desvinculando" done={done} total={links.length} />
      )}
    </Confirm>
  );
}
