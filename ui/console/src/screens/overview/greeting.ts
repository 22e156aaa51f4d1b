/** Returns the part of the day for a greeting. @param hour 0 to 23 */
export function greetingOf(hour: number): 'morning' | 'afternoon' | 'evening' {
  if (hour < 5 || hour >= 18) return 'evening';
  return hour < 12 ? 'morning' : 'afternoon';
}
