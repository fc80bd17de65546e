/** Button that downloads a file with the tokens of the session. */
import type { ComponentChildren } from 'preact';
import { api } from '../api/api.ts';
import type { Download } from '../api/client.ts';
import type { Result } from '../api/result.ts';
import { useAction } from '../api/use-action.ts';
import { ErrorAlert } from './alert.tsx';
import { Button, type ButtonProps } from './button.tsx';
import { toast } from './toast.tsx';

export type DownloadButtonProps = Pick<ButtonProps, 'kind' | 'small'> & {
  readonly children: ComponentChildren;
  /** Path of the file on the server. */
  readonly path?: string;
  /** Creates a file that does not exist on the server. */
  readonly make?: () => Promise<Result<Download>>;
  readonly fallbackName: string;
};

export function DownloadButton({ children, path = '', make, fallbackName, ...button }: DownloadButtonProps) {
  const { run, isBusy, error } = useAction(make ?? (() => api.download(path, fallbackName)), (file) => {
    save(file);
    toast(`${file.name} baixado.`);
  });
  return (
    <>
      <Button {...button} icon="download" isBusy={isBusy} onPress={() => void run()}>
        {children}
      </Button>
      <ErrorAlert error={error} />
    </>
  );
}

/** Hands a file to the person. */
function save({ name, content }: Download): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
