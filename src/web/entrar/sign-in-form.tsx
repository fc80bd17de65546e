/** Form of one kind of sign-in: its fields and its button. */
import type { ComponentChildren, JSX } from 'preact';
import type { Session } from '../api/answers.ts';
import type { Action } from '../api/use-action.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { instead } from '../ui/form.tsx';

export const SignInForm = ({
  label,
  action: { run, isBusy, error },
  verb = 'Entrar',
  isMain = false,
  children,
}: {
  readonly label: string;
  readonly action: Action<[], Session>;
  readonly verb?: string;
  /** True for the first sign-in that the page offers. */
  readonly isMain?: boolean;
  readonly children: ComponentChildren;
}): JSX.Element => (
  <form class="stack" aria-label={label} onSubmit={instead(run)}>
    {children}
    <ErrorAlert error={error} />
    <Actions>
      <Button type="submit" kind={isMain ? 'primary' : 'quiet'} isBusy={isBusy}>
        {verb}
      </Button>
    </Actions>
  </form>
);
