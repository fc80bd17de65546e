/** State that is shown by word, shape and colour together. */
import type { ComponentChildren } from 'preact';
import type { Tone } from './alert.tsx';
import { Icon, type IconName } from './icon.tsx';

export const Badge = ({
  tone = 'calm',
  icon,
  children,
}: {
  readonly tone?: Tone | 'muted';
  readonly icon?: IconName;
  readonly children: ComponentChildren;
}) => (
  <span class={`badge ${tone}`}>
    {icon !== undefined && <Icon name={icon} />}
    {children}
  </span>
);

const SITUATIONS: Readonly<Record<string, readonly [text: string, tone: Tone | 'muted', icon: IconName]>> = {
  ATIVADO: ['Ativado', 'good', 'check'],
  RASCUNHO: ['Rascunho', 'warn', 'pencil'],
  DESATIVADO: ['Desativado', 'muted', 'cross'],
};

/** State of a record: ATIVADO, RASCUNHO, DESATIVADO. */
export function Situation({ situacao }: { readonly situacao: string }) {
  const [text, tone, icon] = SITUATIONS[situacao.toUpperCase()] ?? [situacao, 'calm', 'dash'];
  return (
    <Badge tone={tone} icon={icon}>
      {text}
    </Badge>
  );
}
