/** The systemd unit of the server. It grants only the rights that the server needs (contract section 16). */

export interface UnitParts {
  /** All paths are absolute. */
  readonly executable: string;
  readonly data: string;
  /** Absent: the file in the data folder. */
  readonly config?: string | undefined;
  readonly user: string;
  /** Folders outside the data folder that the settings name for backups and the log. */
  readonly writes?: readonly string[];
  /** True when it listens on a port below 1024. */
  readonly lowPort?: boolean;
}

/** Debian's folder for service data: systemd creates it for this service only. */
const STATE = '/var/lib/';

export function unitText(parts: UnitParts): string {
  const { executable, data, config, user, lowPort = false } = parts;
  const line = ['serve', '--data', data, ...(config === undefined ? [] : ['--config', config])];
  return `# Feito por "catp service install" ou pelo pacote. O que se muda com systemctl edit não é perdido em uma atualização.
[Unit]
Description=catp: Catálogo de Produtos
Wants=network-online.target
After=network-online.target
# Antes de "catp init" não há o que servir.
ConditionPathExists=${escaped(data)}/catp.sqlite
StartLimitIntervalSec=120
StartLimitBurst=5

[Service]
Type=notify
NotifyAccess=main
User=${user}
Group=${user}
ExecStart=${[quoted(executable), ...line.map(argument)].join(' ')}
ExecReload=/bin/kill -HUP $MAINPID
# Um servidor cujo laço de eventos parou é morto e iniciado de novo; o que ele confirmou está no disco.
WatchdogSec=60
WatchdogSignal=SIGKILL
Restart=on-failure
RestartSec=1
# Uma linha de comando que não existe não passa a existir.
RestartPreventExitStatus=2
# Um esquema novo: primeiro a cópia de segurança, depois a migração.
TimeoutStartSec=30min
# O servidor termina em até 5 s.
TimeoutStopSec=15
LimitNOFILE=65536
MemoryMax=80%
TasksMax=1024
# Onde falta memória termina o trabalho que a pediu, e não o servidor.
OOMPolicy=continue
UMask=0077

# O que escreve
ProtectSystem=strict
ProtectHome=${isAtHome(parts) ? 'read-only' : 'yes'}
${writable(parts)}
PrivateTmp=yes
${bound(parts)}
# O que vê e o que pode
NoNewPrivileges=yes
CapabilityBoundingSet=${lowPort ? 'CAP_NET_BIND_SERVICE\nAmbientCapabilities=CAP_NET_BIND_SERVICE' : '\nAmbientCapabilities=\nPrivateUsers=yes'}
PrivateDevices=yes
DevicePolicy=closed
ProtectProc=invisible
ProcSubset=pid
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
KeyringMode=private
LockPersonality=yes
RemoveIPC=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
# O que lê planilhas fica atrás de quem responde.
SystemCallFilter=setpriority
SystemCallErrorNumber=EPERM
# MemoryDenyWriteExecute não: o JavaScript é compilado enquanto corre.

[Install]
WantedBy=multi-user.target
`;
}

function writable({ data, writes = [] }: UnitParts): string {
  const name = data.startsWith(STATE) ? data.slice(STATE.length) : '';
  const isState = /^[\w.-]+$/.test(name);
  const others = [...(isState ? [] : [data]), ...writes];
  return [
    ...(isState ? [`StateDirectory=${name}\nStateDirectoryMode=0700`] : []),
    ...(others.length === 0 ? [] : [`ReadWritePaths=${others.map(quoted).join(' ')}`]),
  ].join('\n');
}

const isAtHome = ({ executable, data, config = '', writes = [] }: UnitParts): boolean =>
  [executable, data, config, ...writes].some((path) => /^\/(home|root|run\/user)(\/|$)/.test(path));

/**
 * Binds paths below the machine's temporary folders into the private one of the service, which the runtime
 * unpacks its files into.
 */
function bound({ executable, data, config = '', writes = [] }: UnitParts): string {
  const temporary = (paths: readonly string[]): string =>
    paths
      .filter((path) => /^\/(var\/)?tmp\//.test(path))
      .map(quoted)
      .join(' ');
  return [
    ['BindPaths', temporary([data, ...writes])],
    ['BindReadOnlyPaths', temporary([executable, config])],
  ]
    .map(([name, paths]) => (paths === '' ? '' : `${name}=${paths}\n`))
    .join('');
}

/** Escapes `%`, which starts a specifier in any value. */
const escaped = (text: string): string => text.replaceAll('%', '%%');

/**
 * Quotes a word of a path list. Quotes protect blanks and the `:` that separates the parts of `BindPaths=`.
 */
function quoted(word: string): string {
  const plain = escaped(word);
  return /^[\w./%@+-]+$/.test(plain) ? plain : `"${plain.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** Quotes a word of a command line, in which `$` starts a variable. It does not apply to the program path. */
const argument = (word: string): string => quoted(word.replaceAll('$', '$$$$'));
