/** `min_price` → `Min price`. */
export function labelFrom(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
