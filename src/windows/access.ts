/** Reads and sets the access lists of Windows files and folders. */
import { type Pointer, dlopen, ptr } from 'bun:ffi';
import { listFor, listOfReaders } from './access-list.ts';
import { addressIn, addressRoom, textAt, wide } from './memory.ts';

const SE_FILE_OBJECT = 1;
const OWNER = 0x1;
const LIST = 0x4;
/** Removes inherited entries. */
const BY_ITSELF = 0x8000_0000;
const SDDL_REVISION = 1;
const TOKEN_QUERY = 0x8;
const TOKEN_USER = 1;
const TOKEN_USER_BYTES = 256;

const calls = () =>
  dlopen('advapi32.dll', {
    GetNamedSecurityInfoW: {
      args: ['ptr', 'u32', 'u32', 'ptr', 'ptr', 'ptr', 'ptr', 'ptr'],
      returns: 'u32',
    },
    SetNamedSecurityInfoW: { args: ['ptr', 'u32', 'u32', 'ptr', 'ptr', 'ptr', 'ptr'], returns: 'u32' },
    ConvertStringSecurityDescriptorToSecurityDescriptorW: {
      args: ['ptr', 'u32', 'ptr', 'ptr'],
      returns: 'i32',
    },
    ConvertSecurityDescriptorToStringSecurityDescriptorW: {
      args: ['ptr', 'u32', 'u32', 'ptr', 'ptr'],
      returns: 'i32',
    },
    GetSecurityDescriptorDacl: { args: ['ptr', 'ptr', 'ptr', 'ptr'], returns: 'i32' },
    OpenProcessToken: { args: ['ptr', 'u32', 'ptr'], returns: 'i32' },
    GetTokenInformation: { args: ['ptr', 'u32', 'ptr', 'u32', 'ptr'], returns: 'i32' },
    ConvertSidToStringSidW: { args: ['ptr', 'ptr'], returns: 'i32' },
  }).symbols;
const memory = () =>
  dlopen('kernel32.dll', {
    LocalFree: { args: ['ptr'], returns: 'ptr' },
    GetCurrentProcess: { args: [], returns: 'ptr' },
    CloseHandle: { args: ['ptr'], returns: 'i32' },
  }).symbols;

/** Returns owner and list of a file as SDDL. Throws the Windows error. */
export function accessOf(path: string): string {
  const windows = calls();
  const descriptor = addressRoom();
  const code = windows.GetNamedSecurityInfoW(
    ...([ptr(wide(path)), SE_FILE_OBJECT, OWNER + LIST, null, null, null, null, ptr(descriptor)] as const),
  );
  if (code !== 0) throw refusedBy('GetNamedSecurityInfoW', code, path);
  try {
    const text = addressRoom();
    windows.ConvertSecurityDescriptorToStringSecurityDescriptorW(
      ...([addressIn(descriptor), SDDL_REVISION, OWNER + LIST, ptr(text), null] as const),
    );
    return freedText(addressIn(text), path);
  } finally {
    memory().LocalFree(addressIn(descriptor));
  }
}

/** Gives a folder with all its content to the accounts only. Throws the Windows error. */
export const giveTo = (path: string, sids: readonly string[]): void => putList(path, listFor(sids));

/** Lets the accounts read a file. Throws the Windows error. */
export const letRead = (path: string, sids: readonly string[]): void => putList(path, listOfReaders(sids));

function putList(path: string, sddl: string): void {
  const windows = calls();
  const descriptor = addressRoom();
  windows.ConvertStringSecurityDescriptorToSecurityDescriptorW(
    ...([ptr(wide(sddl)), SDDL_REVISION, ptr(descriptor), null] as const),
  );
  const [isThere, list, isDefault] = [new Int32Array(1), addressRoom(), new Int32Array(1)];
  windows.GetSecurityDescriptorDacl(addressIn(descriptor), ptr(isThere), ptr(list), ptr(isDefault));
  const code = windows.SetNamedSecurityInfoW(
    ...([ptr(wide(path)), SE_FILE_OBJECT, LIST + BY_ITSELF, null, null, addressIn(list), null] as const),
  );
  memory().LocalFree(addressIn(descriptor));
  if (code !== 0) throw refusedBy('SetNamedSecurityInfoW', code, path);
}

/** Returns the account that runs this process. */
export function ownSid(): string {
  const [windows, kernel] = [calls(), memory()];
  const token = addressRoom();
  windows.OpenProcessToken(kernel.GetCurrentProcess(), TOKEN_QUERY, ptr(token));
  const user = new BigUint64Array(TOKEN_USER_BYTES / BigUint64Array.BYTES_PER_ELEMENT);
  const needed = new Uint32Array(1);
  windows.GetTokenInformation(addressIn(token), TOKEN_USER, ptr(user), TOKEN_USER_BYTES, ptr(needed));
  kernel.CloseHandle(addressIn(token));
  const text = addressRoom();
  windows.ConvertSidToStringSidW(addressIn(user), ptr(text));
  return freedText(addressIn(text), 'token');
}

/** Reads a text that Windows allocated, and frees it. */
function freedText(text: Pointer | null, path: string): string {
  if (text === null) throw refusedBy('ConvertToString', 0, path);
  const copy = textAt(text);
  memory().LocalFree(text);
  return copy;
}

const ACCESS_DENIED = 5;

/** Builds an error in the form of the runtime's system errors. */
const refusedBy = (syscall: string, code: number, path: string): Error =>
  Object.assign(new Error(`${syscall}: ${code}`), {
    code: code === ACCESS_DENIED ? 'EACCES' : 'EIO',
    syscall,
    path,
  });
