/** From the form of new links to what became of each. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useOneAtATime } from '../api/use-one-at-a-time.ts';
import { Notice } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Card } from '../ui/page.tsx';
import { Progress } from '../ui/progress.tsx';
import { toast } from '../ui/toast.tsx';
import { useFocusKept } from '../ui/use-focus-kept.ts';
import { counted } from '../words.ts';
import { LinkForm, type Tried } from './form.tsx';
import { LinkResults } from './results.tsx';
import { sendAll } from './send.ts';

export function Linking({
  cpfCnpjRaiz,
  codigoProduto,
  onOver,
}: {
  readonly cpfCnpjRaiz: string;
  readonly codigoProduto: string;
  /** Back to the list. */
  readonly onOver: () => void;
}): JSX.Element {
  const [tried, setTried] = useState<Tried>();
  const [done, setDone] = useState<number>();
  const once = useOneAtATime();
  useFocusKept(tried === undefined ? 'form' : 'outcomes');
  if (tried === undefined)
    return (
      <LinkForm
        {...{ cpfCnpjRaiz, codigoProduto }}
        onLinked={() => {
          toast('Vínculo gravado.');
          onOver();
        }}
        onOutcomes={setTried}
        onCancel={onOver}
      />
    );
  const { outcomes, dataReferencia } = tried;
  const failed = outcomes.filter(({ errors }) => errors.length > 0).map(({ link }) => link);
  const made = outcomes.length - failed.length;
  const again = once(async (): Promise<void> => {
    setDone(0);
    const second = await sendAll(failed, { cpfCnpjRaiz, vincular: true, dataReferencia }, setDone);
    setDone(undefined);
    setTried({
      outcomes: [...outcomes.filter(({ errors }) => errors.length === 0), ...second],
      dataReferencia,
    });
  });
  return (
    <div class="stack">
      <Notice tone={failed.length === 0 ? 'good' : 'warn'}>
        {made === 1 ? '1 vínculo gravado' : `${counted(made, 'vínculo', 'vínculos')} gravados`}
        {failed.length > 0 && `, ${failed.length} com erro: estes não foram gravados`}.
      </Notice>
      {done !== undefined && <Progress label="Vinculando" done={done} total={failed.length} />}
      <Actions>
        <Button kind="primary" onPress={onOver}>
          Voltar aos vínculos
        </Button>
        {failed.length > 0 && (
          <Button busy={done !== undefined} onPress={() => void again()}>
            Tentar de novo os que falharam
          </Button>
        )}
      </Actions>
      <Card title="Resultado de cada vínculo">
        <LinkResults outcomes={outcomes} doneText="Vinculado" />
      </Card>
    </div>
  );
}
