/** Icons in the colour of the text, always next to a word or a label. */

const PATHS = {
  check: 'M3.5 8.5l3 3 6-7',
  cross: 'M4 4l8 8M12 4l-8 8',
  dash: 'M4 8h8',
  pencil: 'M3 13l.8-3.2L10.6 3l2.4 2.4-6.8 6.8z',
  alert: 'M8 2.5l6 11H2zM8 7v3M8 12v.2',
  info: 'M8 14A6 6 0 108 2a6 6 0 000 12zM8 7.2V11M8 5v.2',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  down: 'M4 6l4 4 4-4',
  up: 'M4 10l4-4 4 4',
  copy: 'M5.5 5.5h7v7h-7zM3.5 10.5v-7h7',
  download: 'M8 2.5v8M4.5 7.5L8 11l3.5-3.5M3 13.5h10',
  search: 'M7 12A5 5 0 107 2a5 5 0 000 10zM10.8 10.8L14 14',
  plus: 'M8 3v10M3 8h10',
  clock: 'M8 14A6 6 0 108 2a6 6 0 000 12zM8 5v3.2l2 1.3',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);
