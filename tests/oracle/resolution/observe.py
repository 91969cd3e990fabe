#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""observe - runs Observer on the questions. usage: observe.py JDK CLASSPATH QUESTIONS ANSWERS

Verification is off: it would refuse some classes for a single one of their questions. Some ill-formed hierarchies make
HotSpot itself crash when it lays out a class; then the rest of that hierarchy is skipped and a new JVM goes on."""
import itertools
import subprocess
import sys

FLAGS = ["-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote", "-XX:+UnlockExperimentalVMOptions",
         "-XX:hashCode=2", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
         "-XX:ErrorFile=/dev/null", "-XX:-CreateCoredumpOnCrash"]


def hierarchy_of(question):
    return question.split()[2].split("/")[0]


def run(jdk, class_path, questions):
    """The lines of answer of one JVM, and whether it came to the end."""
    command = [jdk + "/bin/java", *FLAGS, "-cp", class_path, "Observer"]
    done = subprocess.run(command, input="\n".join(questions) + "\n", stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)
    if done.returncode != 0 and "Error" in done.stderr:
        sys.exit(f"{command}: status {done.returncode}\n{done.stderr}")
    pairs = zip(done.stdout.splitlines(), questions)      # what else a JVM prints as it crashes comes after the answers
    answers = itertools.takewhile(lambda pair: pair[0].split(" ")[0] == pair[1].split(" ")[0], pairs)
    return [answer for answer, _ in answers], done.returncode == 0


def main(jdk, class_path, questions_path, answers_path):
    with open(questions_path) as f:
        left = f.read().splitlines()
    answers, crashes = [], 0
    while left:
        got, is_complete = run(jdk, class_path, left)
        answers += got
        left = left[len(got):]
        if is_complete and left:
            sys.exit(f"no answer to: {left[0]}")
        if left:
            crashes += 1
            bad = hierarchy_of(left[0])
            while left and hierarchy_of(left[0]) == bad:
                answers.append(left.pop(0).split()[0] + " skipped")
    with open(answers_path, "w") as f:
        f.write("\n".join(answers) + "\n")
    if crashes:
        print(f"  the JVM crashed on {crashes} hierarchies")


main(*sys.argv[1:])
