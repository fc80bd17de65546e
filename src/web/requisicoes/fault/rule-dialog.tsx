import type { JSX } from 'preact';
import { api } from '../../api/api.ts';
import { useForm } from '../../api/use-form.ts';
import { ErrorAlert } from '../../ui/alert.tsx';
import { Actions, Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { type RuleValues, ruleRequest } from './rule.ts';
import { RuleFields } from './rule-form.tsx';

export function NewRuleDialog({
  initial,
  onClose,
  onAdded,
}: {
  readonly initial: RuleValues;
  readonly onClose: () => void;
  readonly onAdded?: () => void;
}): JSX.Element {
  const form = useForm(initial);
  const { formRef, error, busy, submit } = form;
  const add = async (): Promise<void> => {
    const added = await submit((values) =>
      api.post<{ readonly id: number }>('/appliance/api/faults', ruleRequest(values)),
    );
    if (added === undefined) return;
    toast(`Regra ${added.id} criada. Vale a partir da próxima requisição que combina.`);
    onAdded?.();
    onClose();
  };
  return (
    <Dialog title="Nova regra" wide onClose={onClose}>
      <form
        ref={formRef}
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <ErrorAlert error={error} />
        <RuleFields form={form} />
        <Actions>
          <Button type="submit" kind="primary" busy={busy}>
            Criar regra
          </Button>
          <Button onPress={onClose}>Cancelar</Button>
        </Actions>
      </form>
    </Dialog>
  );
}
