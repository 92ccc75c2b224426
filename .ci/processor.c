/* A program of a release is made for processors of some level, its standard library with it. On an older one it would die by an
 * instruction that is unknown there before it could say anything; this runs first, and says it. */
#include <unistd.h>

__attribute__((constructor(101))) static void look_at_the_processor(void) {
    static const char text[] = "carom: this build needs a processor with " NEEDS "; " ADVICE "\n";
    __builtin_cpu_init();
    if (__builtin_cpu_supports(LEVEL))
        return;
    if (write(2, text, sizeof text - 1) < 0)
        _exit(3);
    _exit(2);
}
