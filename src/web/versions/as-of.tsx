/** The field `Como estava em`: a day, and the version that was in force at its end. */
import type { ListedVersion } from '../api/answers.ts';
import { Button } from '../ui/button.tsx';
import { DayInput } from '../ui/typed-input.tsx';
import { instead } from '../ui/form.tsx';
import { useCopyOf } from '../ui/use-copy-of.ts';
import { dayText, hasDayForm } from '../words.ts';
import { inForceOn } from './differences.ts';

export interface AsOfProps {
  readonly versions: readonly ListedVersion[];
  /** `yyyy-MM-dd`, or '' for now. */
  readonly day: string;
  readonly onDay: (day: string) => void;
}

export function AsOf({ versions, day, onDay }: AsOfProps) {
  const [typedText, setTypedText] = useCopyOf(day);
  const version = inForceOn(versions, day);
  return (
    <form class="filters" onSubmit={instead(() => onDay(typedText))}>
      <DayInput
        label="Como estava em"
        value={typedText}
        error={day === '' || hasDayForm(day) ? undefined : 'Informe um dia como 31/12/2026.'}
        onChange={(next) => {
          setTypedText(next);
          // Only a complete day counts.
          if (next === '' || hasDayForm(next)) onDay(next);
        }}
      />
      <Button type="submit">Mostrar</Button>
      {hasDayForm(day) && (
        <p class="versions-as-of" role="status">
          {version === undefined
            ? `No fim de ${dayText(day)} nenhuma versão estava em vigor.`
            : `No fim de ${dayText(day)} valia a versão ${version.versao}.`}
        </p>
      )}
    </form>
  );
}
