/**
 * The passwords that attackers try first: the most used passwords in public breaches. The list has only passwords that
 * are long enough for this service, alone or with digits and signs at their end. All passwords of the list are in lower
 * case; see `isCommon`.
 */
const COMMON: ReadonlySet<string> = new Set(
  `password passwort passw0rd p@ssword p@ssw0rd password1 mypassword letmein welcome iloveyou princess sunshine football
  baseball superman batman pokemon starwars whatever trustno1 computer internet michelle jennifer jessica charlie
  qwertyui qwertyuiop qwerty qwertz qwertzuiop azerty azertyuiop asdfghjkl asdfasdf zxcvbnm qazwsx qazwsxedc
  1qaz2wsx 1q2w3e4r 1q2w3e4r5t q1w2e3r4 zaq12wsx abcdefgh abcdefghi abcd1234 abc12345 aa123456 a1b2c3d4 admin administrator
  changeme secret default master monkey dragon shadow killer jordan hunter michael liverpool chelsea arsenal blink182
  facebook linkedin google samsung myspace corvette mercedes ferrari maverick midnight mustang marlboro
  access passpass testtest testing guest login hallo hello freedom butterfly chocolate christmas elephant
  store storeservice`.split(/\s+/),
);

const SEQUENCES = ['0123456789', '9876543210', 'abcdefghijklmnopqrstuvwxyz'];

/**
 * Whether a password is one of those that attackers try first:
 *
 * - common passwords, also with digits and signs at their end
 * - passwords with fewer than three different characters
 * - parts of a sequence, such as `23456789`
 * - the name of the person, the e-mail address, and its part before the `@`, also with digits and signs at their end
 *
 * @param known the names and the e-mail addresses of the person
 */
export function isCommon(password: string, known: readonly string[]): boolean {
  const normalised = normal(password);
  const stem = normalised.replace(/(?<=^|\p{L})\P{L}+$/u, '');
  if (COMMON.has(normalised) || COMMON.has(stem)) return true;
  if (new Set(normalised).size < 3 || SEQUENCES.some((each) => (each + each).includes(normalised)))
    return true;
  const own = known.map(normal).flatMap((text) => [text, (text.split('@', 1)[0] ?? '').trim()]);
  return own.some((text) => text !== '' && (text === normalised || text === stem));
}

/** The form in which passwords, names and addresses are compared. */
function normal(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim();
}
