/** State of the selected files before the upload is complete. */
import type { JSX } from 'preact';
import { Button } from '../ui/button.tsx';
import { Progress } from '../ui/progress.tsx';
import { sizeText } from '../words.ts';
import type { Sending } from './use-import-form.ts';

export interface UploadProgressProps {
  readonly isReading: boolean;
  readonly isStarting: boolean;
  readonly sending: Sending | undefined;
  readonly onStop: () => void;
}

export function UploadProgress({
  isReading,
  isStarting,
  sending,
  onStop,
}: UploadProgressProps): JSX.Element | null {
  if (!isReading && !isStarting) return null;
  if (sending === undefined || (isReading && sending.sent >= sending.total))
    return (
      <p role="status">{isReading ? 'Lendo o que foi escolhido…' : 'Conferindo se já foi importado…'}</p>
    );
  const { name, sent, total } = sending;
  const isSent = total > 0 && sent >= total;
  return (
    <div class="sending">
      <Progress
        label={<bdi>Enviando {name}</bdi>}
        done={sent}
        total={total}
        aside={isSent ? 'enviado; esperando o servidor' : `enviado ${sentOf(sent, total)}`}
      />
      {!isSent && (
        <Button small onPress={onStop}>
          Cancelar
        </Button>
      )}
    </div>
  );
}

/** Returns `12 de 40 MiB`: the unit appears once if both have the same. */
function sentOf(sent: number, total: number): string {
  const [amount = '', unit = ''] = sizeText(sent).split(' ');
  const totalSize = sizeText(total);
  return totalSize.endsWith(` ${unit}`) ? `${amount} de ${totalSize}` : `${amount} ${unit} de ${totalSize}`;
}
