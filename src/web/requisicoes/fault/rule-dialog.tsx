import type { JSX } from 'preact';
import type { AddedFaultRule } from '../../api/answers.ts';
import { api } from '../../api/api.ts';
import { useForm } from '../../api/use-form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
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
  const add = async (): Promise<void> => {
    const added = await form.submit((values) =>
      api.post<AddedFaultRule>('/appliance/api/faults', ruleRequest(values)),
    );
    if (added === undefined) return;
    toast(`Regra ${added.id} criada. Vale a partir da próxima requisição que combina.`);
    onAdded?.();
    onClose();
  };
  return (
    <FormDialog title="Nova regra" wide action="Criar regra" form={form} onClose={onClose} onSave={add}>
      <RuleFields form={form} />
    </FormDialog>
  );
}
